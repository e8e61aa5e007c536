package dev.orderly.testkit;

import dev.orderly.Store;
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
import dev.orderly.history.HistoryStore;
import dev.orderly.job.NodeId;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.JobViews;
import dev.orderly.live.OnlineUserStore;
import dev.orderly.room.store.RoomStore;
import dev.orderly.schedule.ScheduleStore;
import dev.orderly.store.KeyValueStore;
import dev.orderly.store.StoreException;
import dev.orderly.store.StoredValue;
import dev.orderly.user.UserId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A store that fails on request: before the work, with nothing done, or after it, with the answer lost.
 *
 * <p>Faults of {@link #failNext} come first; the other calls fail with the probability of {@link #failRandomly}.
 * Thread-safe. Closing it closes the inner store, without a fault.
 */
public final class FaultyStore extends ForwardingStore {
    private final JobStore jobs;
    private final JobViews views;
    private final RoomStore rooms;
    private final ScheduleStore schedules;
    private final CredentialStore credentials;
    private final AuditStore audit;
    private final OnlineUserStore presence;
    private final KeyValueStore values;
    private final HistoryStore history;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Call, Deque<Fault>> ordered = new EnumMap<>(Call.class);
    private Random random = new Random(0);
    private double odds;

    public FaultyStore(Store store) {
        super(store);
        jobs = new FaultyJobs(store.jobs(), this);
        views = new FaultyViews(store.jobViews(), this);
        rooms = new FaultyRooms(store.rooms(), this);
        schedules = new FaultySchedules(store.schedules(), this);
        credentials = new FaultyCredentials(store.credentials(), this);
        audit = new FaultyAudit(store.audit(), this);
        presence = new FaultyOnlineUsers(store.presence(), this);
        values = new FaultyKeyValues(store.keyValues(), this);
        history = new FaultyViews.FaultyHistory(store.history(), this);
    }

    /** The methods of the ports, by name. */
    public enum Call {
        PUSH,
        CLAIM,
        SETTLE,
        PROGRESS,
        RELEASE,
        LEAVE,
        BEAT,
        UPKEEP,
        PAUSE,
        REDRIVE,
        CANCEL,
        FORGET,
        FIND,
        LIST,
        AHEAD,
        QUEUES,
        ROOM_JOIN,
        ROOM_ADMIT,
        ROOM_RENEW,
        ROOM_MOVE,
        ROOM_DEPART,
        ROOM_SYNC,
        ROOM_GOVERN,
        ROOM_CHANGE,
        ROOM_LIST,
        SCHEDULE_DECLARE,
        SCHEDULE_WITHDRAW,
        SCHEDULE_UNDECLARED,
        SCHEDULE_TAKE,
        SCHEDULE_LIST,
        CREDENTIAL_CREATE,
        CREDENTIAL_REVOKE,
        CREDENTIAL_READ,
        CREDENTIAL_USE,
        SESSION_OPEN,
        SESSION_CLOSE,
        SESSION_EXPIRE,
        AUDIT_APPEND,
        AUDIT_END,
        AUDIT_LIST,
        AUDIT_PRUNE,
        PRESENCE_NOTE,
        PRESENCE_BEAT,
        PRESENCE_LEAVE,
        PRESENCE_ELSEWHERE,
        VALUE_READ,
        VALUE_REPLACE,
        HISTORY_APPEND,
        HISTORY_READ,
        HISTORY_PRUNE,
        CHECK_WRITABLE
    }

    /** Kinds of faults. */
    public enum Fault {
        /** Nothing is done; {@link StoreException.Unavailable}. */
        BEFORE,
        /** The work is done and the answer is lost; {@link StoreException.OutcomeUnknown}. */
        AFTER
    }

    /**
     * Makes the next calls of a method fail, after its earlier requested faults.
     *
     * @param calls number of calls, 1 or more
     */
    public void failNext(Call call, Fault fault, int calls) {
        Objects.requireNonNull(call, "call");
        Objects.requireNonNull(fault, "fault");
        lock.lock();
        try {
            Deque<Fault> faults = ordered.computeIfAbsent(call, name -> new ArrayDeque<>());
            for (int n = 0; n < calls; n++) {
                faults.add(fault);
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Makes calls of every method fail at random, half of them before and half after the work. The same seed gives the
     * same faults to the same order of calls.
     *
     * @param probability 0 (never) to 1 (always)
     * @throws IllegalArgumentException if {@code probability} is outside 0 to 1
     */
    public void failRandomly(long seed, double probability) {
        if (!(probability >= 0 && probability <= 1)) {
            throw new IllegalArgumentException("The probability of a fault is " + probability + ": use 0 to 1");
        }
        lock.lock();
        try {
            random = new Random(seed);
            odds = probability;
        } finally {
            lock.unlock();
        }
    }

    /** Drops all requested faults. */
    public void heal() {
        lock.lock();
        try {
            ordered.clear();
            odds = 0;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void checkWritable() {
        call(Call.CHECK_WRITABLE, () -> {
            inside().checkWritable();
            return true;
        });
    }

    <T> T call(Call call, Supplier<T> work) {
        Fault fault = next(call);
        if (fault == Fault.BEFORE) {
            throw new StoreException.Unavailable("Injected fault before " + call, null);
        }
        T answer = work.get();
        if (fault == Fault.AFTER) {
            throw new StoreException.OutcomeUnknown("Injected fault after " + call, null);
        }
        return answer;
    }

    private @Nullable Fault next(Call call) {
        lock.lock();
        try {
            Deque<Fault> faults = Objects.requireNonNullElseGet(ordered.get(call), ArrayDeque::new);
            if (!faults.isEmpty()) {
                return faults.remove();
            }
            if (odds == 0 || random.nextDouble() >= odds) {
                return null;
            }
            return random.nextBoolean() ? Fault.BEFORE : Fault.AFTER;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public JobStore jobs() {
        return jobs;
    }

    @Override
    public JobViews jobViews() {
        return views;
    }

    @Override
    public RoomStore rooms() {
        return rooms;
    }

    @Override
    public ScheduleStore schedules() {
        return schedules;
    }

    @Override
    public CredentialStore credentials() {
        return credentials;
    }

    @Override
    public AuditStore audit() {
        return audit;
    }

    @Override
    public KeyValueStore keyValues() {
        return values;
    }

    @Override
    public HistoryStore history() {
        return history;
    }

    @Override
    public OnlineUserStore presence() {
        return presence;
    }

    @Override
    public String name() {
        return super.name() + " with faults";
    }

    /** The audit port of a {@link FaultyStore}. */
    private record FaultyAudit(AuditStore audit, FaultyStore faults) implements AuditStore {
        @Override
        public long append(AuditAct act, Outcome outcome, @Nullable String after) {
            return faults.call(Call.AUDIT_APPEND, () -> audit.append(act, outcome, after));
        }

        @Override
        public void end(long id, Outcome outcome, @Nullable String after) {
            faults.call(Call.AUDIT_END, () -> {
                audit.end(id, outcome, after);
                return true;
            });
        }

        @Override
        public List<AuditEntry> list(AuditQuery query) {
            return faults.call(Call.AUDIT_LIST, () -> audit.list(query));
        }

        @Override
        public int prune(Instant before, long most, int limit) {
            return faults.call(Call.AUDIT_PRUNE, () -> audit.prune(before, most, limit));
        }
    }

    /** The credentials port of a {@link FaultyStore}. */
    private record FaultyCredentials(CredentialStore credentials, FaultyStore faults) implements CredentialStore {
        @Override
        public Created create(StoredToken token) {
            return faults.call(Call.CREDENTIAL_CREATE, () -> credentials.create(token));
        }

        @Override
        public boolean revoke(TokenName name) {
            return faults.call(Call.CREDENTIAL_REVOKE, () -> credentials.revoke(name));
        }

        @Override
        public Credentials read() {
            return faults.call(Call.CREDENTIAL_READ, credentials::read);
        }

        @Override
        public void used(CredentialUses uses) {
            faults.call(Call.CREDENTIAL_USE, () -> {
                credentials.used(uses);
                return true;
            });
        }

        @Override
        public boolean open(LoginSession session) {
            return faults.call(Call.SESSION_OPEN, () -> credentials.open(session));
        }

        @Override
        public boolean close(String hash) {
            return faults.call(Call.SESSION_CLOSE, () -> credentials.close(hash));
        }

        @Override
        public int expire(Instant opened, Instant lastSeen) {
            return faults.call(Call.SESSION_EXPIRE, () -> credentials.expire(opened, lastSeen));
        }
    }

    /** The port of keys with values of a {@link FaultyStore}. */
    private record FaultyKeyValues(KeyValueStore values, FaultyStore faults) implements KeyValueStore {
        @Override
        public boolean isShared() {
            return values.isShared();
        }

        @Override
        public Optional<StoredValue> read(String key, Instant now) {
            return faults.call(Call.VALUE_READ, () -> values.read(key, now));
        }

        @Override
        public OptionalLong replace(String key, long seen, String text, Instant until, Instant now) {
            return faults.call(Call.VALUE_REPLACE, () -> values.replace(key, seen, text, until, now));
        }
    }

    /** The presence port of a {@link FaultyStore}. */
    private record FaultyOnlineUsers(OnlineUserStore presence, FaultyStore faults) implements OnlineUserStore {
        @Override
        public Noted note(NodeId node, Set<UserId> came, Set<UserId> left) {
            return faults.call(Call.PRESENCE_NOTE, () -> presence.note(node, came, left));
        }

        @Override
        public Beat beat(NodeId node, Duration deadAfter) {
            return faults.call(Call.PRESENCE_BEAT, () -> presence.beat(node, deadAfter));
        }

        @Override
        public Set<UserId> leave(NodeId node) {
            return faults.call(Call.PRESENCE_LEAVE, () -> presence.leave(node));
        }

        @Override
        public Set<UserId> elsewhere(NodeId node, Set<UserId> users) {
            return faults.call(Call.PRESENCE_ELSEWHERE, () -> presence.elsewhere(node, users));
        }
    }
}
