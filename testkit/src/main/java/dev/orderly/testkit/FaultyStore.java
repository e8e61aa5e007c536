package dev.orderly.testkit;

import dev.orderly.ForwardingStore;
import dev.orderly.Store;
import dev.orderly.access.store.AuditStore;
import dev.orderly.access.store.CredentialStore;
import dev.orderly.history.HistoryStore;
import dev.orderly.job.store.BatchStore;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.JobViews;
import dev.orderly.live.OnlineUserStore;
import dev.orderly.room.store.RoomStore;
import dev.orderly.schedule.ScheduleStore;
import dev.orderly.store.KeyValueStore;
import dev.orderly.store.StoreException;
import java.lang.reflect.Method;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
        jobs = faulty(JobStore.class, store.jobs());
        views = faulty(JobViews.class, store.jobViews());
        rooms = faulty(RoomStore.class, store.rooms());
        schedules = faulty(ScheduleStore.class, store.schedules());
        credentials = faulty(CredentialStore.class, store.credentials());
        audit = faulty(AuditStore.class, store.audit());
        presence = faulty(OnlineUserStore.class, store.presence());
        values = faulty(KeyValueStore.class, store.keyValues());
        history = faulty(HistoryStore.class, store.history());
    }

    private <T> T faulty(Class<T> port, T real) {
        return PortProxy.around(port, real, (method, _, work) -> {
            Call call = Call.of(port, method);
            if (call != null) {
                return call(call, work);
            }
            Object answer = work.get();
            return answer instanceof BatchStore batches ? faulty(BatchStore.class, batches) : answer;
        });
    }

    /** The methods of the ports, by name. */
    public enum Call {
        PUSH("JobStore.push"),
        CLAIM("JobStore.claim"),
        SETTLE("JobStore.settle"),
        PROGRESS("JobStore.progress"),
        KEEP_STEP("JobStore.keep"),
        AWAIT_EVENT("JobStore.await"),
        KEEP_EVENT("JobStore.event"),
        RELEASE("JobStore.release"),
        HELD("JobStore.held"),
        LEAVE("JobStore.leave"),
        BEAT("JobStore.beat"),
        UPKEEP("JobStore.upkeep"),
        PAUSE("JobStore.pause JobStore.set"),
        REDRIVE("JobStore.redrive JobStore.redriveAll"),
        CANCEL("JobStore.cancel JobStore.runNow"),
        BATCH_OPEN("BatchStore.open"),
        BATCH_CLOSE("BatchStore.close BatchStore.cancel"),
        BATCH_FINISH("BatchStore.finish"),
        BATCH_FIND("BatchStore.find BatchStore.list BatchStore.members"),
        FORGET("JobStore.forget ScheduleStore.forget"),
        FIND("JobViews.find JobViews.attempts JobViews.steps JobViews.events"),
        LIST("JobViews.list"),
        AHEAD("JobViews.ahead JobViews.blocker JobViews.holder JobViews.batchHolder JobViews.workers"),
        QUEUES("JobViews.queues JobViews.limits JobViews.keys JobViews.keyCounts JobViews.pending"),
        ROOM_JOIN("RoomStore.join"),
        ROOM_ADMIT("RoomStore.admit"),
        ROOM_RENEW("RoomStore.renew"),
        ROOM_MOVE("RoomStore.move"),
        ROOM_DEPART("RoomStore.depart"),
        ROOM_SYNC("RoomStore.sync"),
        ROOM_GOVERN("RoomStore.govern"),
        ROOM_CHANGE("RoomStore.change RoomStore.replaceLeaves"),
        ROOM_LIST("RoomStore.find RoomStore.use RoomStore.present RoomStore.rooms RoomStore.leaves"),
        SCHEDULE_DECLARE("ScheduleStore.declare"),
        SCHEDULE_WITHDRAW("ScheduleStore.withdraw"),
        SCHEDULE_UNDECLARED("ScheduleStore.undeclared"),
        SCHEDULE_TAKE("ScheduleStore.take"),
        SCHEDULE_LIST("ScheduleStore.states"),
        CREDENTIAL_CREATE("CredentialStore.create"),
        CREDENTIAL_REVOKE("CredentialStore.revoke"),
        CREDENTIAL_READ("CredentialStore.read"),
        CREDENTIAL_USE("CredentialStore.used"),
        SESSION_OPEN("CredentialStore.open"),
        SESSION_CLOSE("CredentialStore.close"),
        SESSION_EXPIRE("CredentialStore.expire"),
        AUDIT_APPEND("AuditStore.append"),
        AUDIT_END("AuditStore.end"),
        AUDIT_LIST("AuditStore.list"),
        AUDIT_PRUNE("AuditStore.prune"),
        PRESENCE_NOTE("OnlineUserStore.note"),
        PRESENCE_BEAT("OnlineUserStore.beat"),
        PRESENCE_LEAVE("OnlineUserStore.leave"),
        PRESENCE_ELSEWHERE("OnlineUserStore.elsewhere"),
        VALUE_READ("KeyValueStore.read"),
        VALUE_REPLACE("KeyValueStore.replace"),
        HISTORY_APPEND("HistoryStore.append"),
        HISTORY_READ("HistoryStore.read"),
        HISTORY_PRUNE("HistoryStore.prune"),
        CHECK_WRITABLE("Store.checkWritable");

        private static final Map<String, Call> BY_METHOD = Stream.of(values())
                .flatMap(call -> Stream.of(call.methods.split(" ")).map(method -> Map.entry(method, call)))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));

        private final String methods;

        Call(String methods) {
            this.methods = methods;
        }

        /** The call of a method of a port; null for one that does not ask the store. */
        static @Nullable Call of(Class<?> port, Method method) {
            return BY_METHOD.get(port.getSimpleName() + "." + method.getName());
        }
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

    private <T> T call(Call call, Supplier<T> work) {
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
}
