package dev.orderly.testkit.contract;

import dev.orderly.access.AccessToken;
import dev.orderly.access.Role;
import dev.orderly.access.TokenName;
import dev.orderly.access.store.AuditAct;
import dev.orderly.access.store.AuditEntry;
import dev.orderly.access.store.AuditEntry.Outcome;
import dev.orderly.access.store.AuditQuery;
import dev.orderly.access.store.AuditStore;
import dev.orderly.access.store.CredentialStore;
import dev.orderly.access.store.CredentialUses;
import dev.orderly.access.store.Credentials;
import dev.orderly.access.store.LoginSession;
import dev.orderly.access.store.StoredToken;
import dev.orderly.testkit.MemoryStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The credentials and the audit log of a memory store behind a decorator with a planted bug. */
final class BuggyAccess extends BuggedStore implements CredentialStore, AuditStore {
    private final AccessBug bug;
    private final List<StoredToken> revoked = new ArrayList<>();
    private final Map<Long, Outcome> lastEnd = new HashMap<>();
    private boolean restarted;

    BuggyAccess(MemoryStore store, AccessBug bug) {
        super(store, bug);
        this.bug = bug;
    }

    BuggyAccess crash() {
        BuggyAccess next = new BuggyAccess(store.crash(), bug);
        next.restarted = true;
        next.lastEnd.putAll(lastEnd);
        if (bug == AccessBug.REVOKES_NOTHING_AFTER_A_CRASH) {
            revoked.forEach(token -> next.store.credentials().create(token));
        }
        return next;
    }

    @Override
    public CredentialStore credentials() {
        return this;
    }

    @Override
    public AuditStore audit() {
        return this;
    }

    @Override
    public Created create(StoredToken token) {
        if (bug == AccessBug.REPLACES_A_TOKEN_OF_THE_SAME_NAME) {
            store.credentials().revoke(token.token().name());
        }
        return store.credentials().create(token);
    }

    @Override
    public boolean revoke(TokenName name) {
        Credentials before = store.credentials().read();
        before.tokens().stream().filter(token -> token.token().name().equals(name)).forEach(revoked::add);
        boolean done = store.credentials().revoke(name);
        if (bug == AccessBug.KEEPS_SESSIONS_OF_REVOKED_TOKENS) {
            before.sessions().stream().filter(session -> session.token().equals(name)).forEach(this::force);
        }
        return done;
    }

    /** A session under another token, which exists. */
    private void force(LoginSession session) {
        store.credentials().create(new StoredToken(new AccessToken(new TokenName("other"), Role.VIEWER, Set.of(),
                session.opened(), null), "other", null));
        store.credentials().open(new LoginSession(session.hash(), new TokenName("other"), session.opened(),
                session.lastSeen()));
    }

    @Override
    public Credentials read() {
        return store.credentials().read();
    }

    @Override
    public void used(CredentialUses uses) {
        store.credentials().used(uses);
        if (bug == AccessBug.TAKES_EARLIER_USES) {
            for (LoginSession known : read().sessions()) {
                Instant at = uses.sessions().getOrDefault(known.hash(), known.lastSeen());
                store.credentials().close(known.hash());
                store.credentials().open(new LoginSession(known.hash(), known.token(), known.opened(), at));
            }
        }
    }

    @Override
    public boolean open(LoginSession session) {
        if (bug == AccessBug.OPENS_SESSIONS_WITHOUT_A_TOKEN && read().tokens().isEmpty()) {
            force(session);
            return true;
        }
        return store.credentials().open(session);
    }

    @Override
    public boolean close(String hash) {
        return store.credentials().close(hash);
    }

    @Override
    public int expire(Instant opened, Instant lastSeen) {
        return store.credentials().expire(opened,
                bug == AccessBug.EXPIRES_BY_AGE_ONLY ? Instant.EPOCH : lastSeen);
    }

    @Override
    public long append(AuditAct act, Outcome outcome, @Nullable String after) {
        return store.audit().append(act, outcome, after);
    }

    @Override
    public void end(long id, Outcome outcome, @Nullable String after) {
        store.audit().end(id, outcome, after);
        lastEnd.put(id, outcome);
    }

    @Override
    public List<AuditEntry> list(AuditQuery query) {
        AuditQuery asked = bug == AccessBug.IGNORES_THE_NAME
                ? new AuditQuery(query.before(), null, query.operation(), query.object(), query.since(),
                        query.until(), query.limit())
                : query;
        return store.audit().list(asked).stream()
                .map(entry -> bug == AccessBug.ENDS_AN_ENTRY_TWICE && lastEnd.containsKey(entry.id())
                        ? new AuditEntry(entry.id(), entry.act(), lastEnd.getOrDefault(entry.id(), entry.outcome()),
                                entry.after())
                        : entry)
                .map(entry -> bug == AccessBug.FORGETS_OUTCOMES_AT_A_RESTART && restarted
                        ? new AuditEntry(entry.id(), entry.act(), Outcome.UNKNOWN, null)
                        : entry)
                .toList();
    }

    @Override
    public int prune(Instant before, long most, int limit) {
        return store.audit().prune(before, bug == AccessBug.PRUNES_THE_NEWEST_TOO ? most - 1 : most, limit);
    }
}
