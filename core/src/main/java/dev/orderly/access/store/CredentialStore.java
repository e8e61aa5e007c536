package dev.orderly.access.store;

import dev.orderly.access.TokenName;
import java.time.Instant;

/**
 * Storage of access tokens and of browsers' sessions: the port that every store implements. Each sentence below is a
 * test in the contract of the testkit.
 *
 * <p>All methods are thread-safe and block the caller until the store has answered. Every method throws
 * {@link dev.orderly.store.StoreException.Unavailable} if nothing was done and
 * {@link dev.orderly.store.StoreException.OutcomeUnknown} if the outcome is not known. An answered change is durable,
 * and every later {@link #read} of any node sees it. Secrets are stored as hashes only.
 */
public interface CredentialStore {
    /** Upper bound of tokens. */
    int TOKENS_MAX = 1_000;
    /** Upper bound of sessions. */
    int SESSIONS_MAX = 1_000;

    /** The outcome of {@link #create}. */
    enum Created {
        CREATED,
        /** Another token has this name; nothing was stored. */
        NAME_TAKEN,
        /** There are {@link #TOKENS_MAX} tokens; nothing was stored. */
        FULL
    }

    /**
     * Stores a token, unless its name is taken or there are too many. Repeated with the same name and hash it answers
     * {@code CREATED} and changes nothing.
     */
    Created create(StoredToken token);

    /** Deletes a token and its sessions. False if there is no such token. */
    boolean revoke(TokenName name);

    /** All tokens by name, and all sessions. */
    Credentials read();

    /** Records uses. An earlier use than the recorded one, and a use of an unknown credential, have no effect. */
    void used(CredentialUses uses);

    /**
     * Stores a session, in place of the session that was used the longest ago if there are {@link #SESSIONS_MAX}.
     * False, with nothing stored, if the session's token does not exist.
     */
    boolean open(LoginSession session);

    /** Deletes a session. False if there is no such session. */
    boolean close(String hash);

    /** Deletes the sessions that were opened, or last used, before these moments. The number of deleted sessions. */
    int expire(Instant opened, Instant lastSeen);
}
