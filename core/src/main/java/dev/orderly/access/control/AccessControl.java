package dev.orderly.access.control;

import dev.orderly.access.AccessToken;
import dev.orderly.access.Identity;
import dev.orderly.access.TokenName;
import dev.orderly.access.TokenSecret;
import dev.orderly.access.control.CredentialCache.Snapshot;
import dev.orderly.access.store.AuditStore;
import dev.orderly.access.store.CredentialStore;
import dev.orderly.access.store.CredentialStore.Created;
import dev.orderly.access.store.LoginSession;
import dev.orderly.access.store.StoredToken;
import dev.orderly.flow.BackgroundLoop;
import dev.orderly.store.StoreException;
import dev.orderly.time.Time;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Access of one node: verifies tokens and sessions, manages them, and keeps the audit log.
 *
 * <p>A verified credential counts for two seconds without a call of the store; so a revoked token ends within two
 * seconds on every node. While the store cannot be read, credentials count as they were read last, for a minute; then
 * verification fails with the store's exception. Thread-safe.
 */
public final class AccessControl implements AutoCloseable {
    /** The longest time for which a revoked credential still counts on a node that reaches the store. */
    public static final Duration FRESH = Duration.ofSeconds(2);
    /** The longest time for which credentials count without the store. */
    public static final Duration OUTAGE = Duration.ofMinutes(1);

    private static final Logger LOG = LoggerFactory.getLogger(AccessControl.class);
    private static final Duration ROUND = Duration.ofMinutes(1);
    /** Other nodes may report the last use of a session this much later. */
    private static final Duration LATE_REPORTS = Duration.ofMinutes(5);
    private static final Duration SOON = Duration.ofMillis(100);
    private static final Duration STOP = Duration.ofSeconds(10);
    private static final int PRUNED = 10_000;
    private static final int SESSION_BYTES = 32;

    private final CredentialStore store;
    private final AuditStore entries;
    private final Time time;
    private final AccessOptions options;
    private final LocalCredential local;
    private final LocalSessions localSessions;
    private final CredentialCache cache;
    private final CredentialUseLog uses = new CredentialUseLog();
    private final AuditLog audit;
    private final BackgroundLoop loop;
    /** The monotonic time until which the store counts as out of reach, so that requests do not wait for it in turn. */
    private volatile long outageUntil;

    /** Access without a local credential. */
    public AccessControl(CredentialStore store, AuditStore entries, Time time, AccessOptions options) {
        this(store, entries, time, options, LocalCredential.NONE);
    }

    /** @param time the clock that all nodes of the store share */
    public AccessControl(CredentialStore store, AuditStore entries, Time time, AccessOptions options,
            LocalCredential local) {
        Objects.requireNonNull(entries, "entries");
        Objects.requireNonNull(local, "local");
        Objects.requireNonNull(options, "options");
        Objects.requireNonNull(store, "store");
        this.store = store;
        this.entries = entries;
        this.time = time;
        this.options = options;
        this.local = local;
        this.localSessions = new LocalSessions(options);
        this.cache = new CredentialCache(store, time);
        this.outageUntil = time.nanos();
        this.audit = new AuditLog(entries, time);
        this.loop = new BackgroundLoop("access", time, this::round);
    }

    /** Starts the loop that reports uses and prunes; verification works without it. */
    public void start() {
        loop.start();
    }

    public AuditLog audit() {
        return audit;
    }

    /** The identity of a credential as far as memory knows it; empty if the store must be asked. Never blocks. */
    public Optional<Identity> known(Credential credential) {
        Objects.requireNonNull(credential, "credential");
        if (isLocal(credential)) {
            return Optional.of(local.identity());
        }
        Snapshot current = cache.within(time.reached(outageUntil) ? FRESH : OUTAGE);
        return current == null ? Optional.empty() : identity(current, credential);
    }

    /**
     * The identity of a credential; empty if it does not count. Blocks, unless {@link #known} knows it.
     *
     * @throws StoreException if the store was not read and the credential was not known within the last minute
     */
    public Optional<Identity> verify(Credential credential) {
        Objects.requireNonNull(credential, "credential");
        Optional<Identity> known = known(credential);
        if (known.isPresent()) {
            return known;
        }
        try {
            return identity(cache.since(time.nanos()), credential);
        } catch (StoreException e) {
            outageUntil = time.deadline(FRESH);
            return Optional.of(known(credential).orElseThrow(() -> e));
        }
    }

    private boolean isLocal(Credential credential) {
        return switch (credential) {
            case Credential.Token(String hash) -> local.hashes().stream().anyMatch(own -> isEqual(own, hash));
            case Credential.Session(String hash) -> localSessions.use(hash, time.now());
        };
    }

    /** Whether {@link #known} speaks for every credential. */
    public boolean isFresh() {
        return cache.within(FRESH) != null;
    }

    private Optional<Identity> identity(Snapshot snapshot, Credential credential) {
        Instant now = time.now();
        return switch (credential) {
            case Credential.Token(String hash) -> ofToken(snapshot.tokens().get(hash), hash, now);
            case Credential.Session(String hash) -> ofSession(snapshot, snapshot.sessions().get(hash), now);
        };
    }

    /**
     * The lookup is by the hash of what was presented, which nobody can steer; so its timing tells nothing about a
     * secret. The comparison takes constant time all the same.
     */
    private Optional<Identity> ofToken(@Nullable StoredToken found, String hash, Instant now) {
        if (found == null || found.token().isEnded(now) || !isEqual(found.hash(), hash)) {
            return Optional.empty();
        }
        uses.used(found.token().name(), now);
        return Optional.of(found.token().identity());
    }

    private Optional<Identity> ofSession(Snapshot snapshot, @Nullable LoginSession session, Instant now) {
        StoredToken token = session == null ? null : snapshot.byName().get(session.token());
        if (session == null || token == null || token.token().isEnded(now)
                || options.isOver(session.opened(), uses.lastSeen(session), now)) {
            return Optional.empty();
        }
        uses.used(session, now);
        uses.used(token.token().name(), now);
        return Optional.of(token.token().identity());
    }

    private static boolean isEqual(String one, String other) {
        return MessageDigest.isEqual(one.getBytes(StandardCharsets.US_ASCII),
                other.getBytes(StandardCharsets.US_ASCII));
    }

    /** Whether any token exists that has not ended. Blocks. */
    public boolean hasTokens() {
        return store.read().tokens().stream().anyMatch(known -> !known.token().isEnded(time.now()));
    }

    /** All tokens by name. Blocks. */
    public List<StoredToken> tokens() {
        return store.read().tokens();
    }

    /** Stores a token, which counts on every node at once. Blocks. */
    public Created create(AccessToken token, TokenSecret secret) {
        Objects.requireNonNull(token, "token");
        return store.create(new StoredToken(token, secret.hash(), null));
    }

    /** Revokes a token and its sessions. It ends on this node at once. Blocks. False if there is none of this name. */
    public boolean revoke(TokenName name) {
        Objects.requireNonNull(name, "name");
        boolean revoked = store.revoke(name);
        cache.since(time.nanos());
        return revoked;
    }

    /**
     * Opens a session of a verified token, or of the local credential. Blocks.
     *
     * @param identity of a token, or local
     * @return the value of the session's cookie; empty if the token was revoked meanwhile, or the identity is neither
     */
    public Optional<String> open(Identity identity, RandomGenerator random) {
        byte[] bytes = new byte[SESSION_BYTES];
        random.nextBytes(bytes);
        String cookie = HexFormat.of().formatHex(bytes);
        String hash = Credential.Session.of(cookie).hash();
        Instant now = time.now();
        boolean opened = switch (identity.kind()) {
            case TOKEN -> store.open(new LoginSession(hash, new TokenName(identity.name()), now, now));
            case LOCAL -> {
                localSessions.open(hash, now);
                yield true;
            }
            case PROXY, APPLICATION -> false;
        };
        return opened ? Optional.of(cookie) : Optional.empty();
    }

    /** Closes a session; it ends on this node at once. Blocks. */
    public void close(Credential session) {
        if (!localSessions.close(session.hash())) {
            store.close(session.hash());
            cache.since(time.nanos());
        }
    }

    private Duration round() {
        audit.recordFailedLogins();
        try {
            uses.report(store);
            Instant now = time.now();
            store.expire(now.minus(options.sessionMost()), now.minus(options.sessionIdle()).minus(LATE_REPORTS));
            int pruned = entries.prune(now.minus(options.keepAudit()), AccessOptions.AUDIT_MAX, PRUNED);
            return pruned == PRUNED ? SOON : ROUND;
        } catch (StoreException e) {
            LOG.warn("Uses of tokens were not reported, trying again: {}", e.getMessage());
            return ROUND;
        }
    }

    /** A line for the operator if the loop stalls. */
    public Optional<String> stall() {
        return loop.stall();
    }

    /** Stops the loop, and reports the last uses and failed logins. Idempotent. */
    @Override
    public void close() {
        loop.stop(STOP);
        audit.recordLastFailedLogins();
        try {
            uses.report(store);
        } catch (StoreException e) {
            LOG.debug("The last uses of tokens were not reported: {}", e.getMessage());
        }
    }
}
