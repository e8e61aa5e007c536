package dev.orderly.access.control;

import dev.orderly.access.Identity;
import dev.orderly.access.store.AuditAct;
import dev.orderly.access.store.AuditEntry;
import dev.orderly.access.store.AuditEntry.Outcome;
import dev.orderly.access.store.AuditQuery;
import dev.orderly.access.store.AuditStore;
import dev.orderly.flow.LogLimit;
import dev.orderly.flow.TokenBucket;
import dev.orderly.store.StoreException;
import dev.orderly.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The audit log: who changed what, when and from where. Thread-safe.
 *
 * <p>The entry is durable before its change begins, and gets its outcome after it. A change without an entry does not
 * exist: if the entry cannot be written, nothing is changed. After a crash between entry and change, or between change
 * and outcome, the entry has the outcome {@link Outcome#UNKNOWN}: the change was made or not, as with a lost answer.
 */
public final class AuditLog {
    private static final Logger LOG = LoggerFactory.getLogger(AuditLog.class);
    /** Refused attempts of one identity that become entries: some at once, then one in ten seconds. */
    private static final int REFUSED_BURST = 20;
    private static final Duration REFUSED_EACH = Duration.ofSeconds(10);
    private static final int NAMES_MAX = 1_000;
    /** The name of what presents a token that does not count; no token has it. */
    private static final String UNKNOWN = "?";
    /** The operation and the object of logins. */
    private static final String LOGIN = "login";
    private static final String LOGIN_OBJECT = "session";

    private final AuditStore store;
    private final Time time;
    private final LogLimit failures;
    private final LogLimit omitted;
    private final FailedLogins logins;
    private final TokenBucket.Pace pace;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, TokenBucket> refusals = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, TokenBucket> eldest) {
            return size() > NAMES_MAX;
        }
    };

    AuditLog(AuditStore store, Time time) {
        this.store = store;
        this.time = time;
        this.failures = new LogLimit(LOG, time);
        this.omitted = new LogLimit(LOG, time);
        this.logins = new FailedLogins(time);
        this.pace = TokenBucket.Pace.of(time, 1, REFUSED_EACH, REFUSED_BURST);
    }

    /** The moment of an act that begins now. */
    public Instant now() {
        return time.now();
    }

    /**
     * Makes a change with an entry. Blocks. An exception of the change is thrown again: after
     * {@link StoreException.OutcomeUnknown} the outcome stays unknown, after any other the entry has failed.
     *
     * @param after describes the state after the change, without payloads and secrets; null for none
     * @throws StoreException if the entry was not written; then nothing was changed
     */
    public <T> T record(AuditAct act, Supplier<T> change, Function<T, @Nullable String> after) {
        Objects.requireNonNull(act, "act");
        long id = store.append(act, Outcome.UNKNOWN, null);
        T made;
        try {
            made = change.get();
        } catch (StoreException.OutcomeUnknown e) {
            throw e;
        } catch (RuntimeException e) {
            end(id, Outcome.FAILED, e.getMessage());
            throw e;
        }
        end(id, Outcome.DONE, after.apply(made));
        return made;
    }

    /** Records an attempt that the role does not allow. At most one entry in ten seconds for a name that persists. */
    public void refused(AuditAct act, String reason) {
        Objects.requireNonNull(reason, "reason");
        if (!mayRefuse(act.kind().text() + " " + act.name())) {
            omitted.warn("Refused attempts of {} {} are too many for the audit log", act.kind().text(), act.name());
            return;
        }
        try {
            store.append(act, Outcome.REFUSED, AuditAct.state(reason));
        } catch (StoreException e) {
            failures.warn("A refused attempt of {} {} ({}) has no entry in the audit log: {}", act.kind().text(),
                    act.name(), act.operation(), e.getMessage());
        }
    }

    /**
     * Records a failed login: a token that does not count. The first of an address has an entry at once, further ones
     * are counted, see {@link FailedLogins}. Blocks.
     *
     * @param address of the client
     */
    public void failedLogin(String address) {
        Objects.requireNonNull(address, "address");
        logins.failed(address).ifPresent(this::record);
    }

    /** Records the failed logins that were counted. Blocks. */
    void recordFailedLogins() {
        logins.over().forEach(this::record);
    }

    /** As {@link #recordFailedLogins}, without waiting for the end of a span. */
    void recordLastFailedLogins() {
        logins.end().forEach(this::record);
    }

    private void record(FailedLogins.Failures failures) {
        AuditAct act = new AuditAct(now(), Identity.Kind.TOKEN, UNKNOWN, failures.address(), LOGIN, LOGIN_OBJECT, null);
        try {
            store.append(act, Outcome.REFUSED, failures.count() == 1
                    ? "1 token that does not count"
                    : failures.count() + " tokens that do not count, since the entry before");
        } catch (StoreException e) {
            this.failures.warn("{} failed logins from {} have no entry in the audit log: {}", failures.count(),
                    failures.address(), e.getMessage());
        }
    }

    private boolean mayRefuse(String name) {
        lock.lock();
        try {
            return refusals.computeIfAbsent(name, _ -> new TokenBucket(pace)).take();
        } finally {
            lock.unlock();
        }
    }

    /** The entries that fulfil the conditions, the newest first. Blocks. */
    public List<AuditEntry> list(AuditQuery query) {
        Objects.requireNonNull(query, "query");
        return store.list(query);
    }

    private void end(long id, Outcome outcome, @Nullable String after) {
        try {
            store.end(id, outcome, after == null ? null : AuditAct.state(after));
        } catch (StoreException e) {
            failures.warn("Entry {} of the audit log keeps an unknown outcome, though it is {}: {}", id, outcome.text(),
                    e.getMessage());
        }
    }
}
