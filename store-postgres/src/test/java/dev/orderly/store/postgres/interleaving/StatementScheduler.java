package dev.orderly.store.postgres.interleaving;

import dev.orderly.time.Time;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Lets the sessions of one application go on one at a time, each from one of its {@link PausePoints} to the next. Which
 * one is next is drawn; a session that waits for a lock of another is left until it has it.
 */
final class StatementScheduler {
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final String CALLER = "interleaved-caller";

    private final Statement control;
    private final String application;
    private final Schedule schedule;
    private final Set<Integer> known = new HashSet<>();
    private int turnsOfTheFirst;

    /** Chooses who goes on. */
    @FunctionalInterface
    interface Schedule {
        /** Of ten turns, how many on average stay with the same caller. */
        int STAYS = 5;

        /**
         * One of the callers that can go on.
         *
         * @param last that went on last
         */
        int next(List<Integer> ready, int last);

        static Schedule drawn(Random random) {
            return (ready, last) -> ready.contains(last) && random.nextInt(10) < STAYS
                    ? last
                    : ready.get(random.nextInt(ready.size()));
        }

        /** The first caller up to one of its points, then the others to their ends, one after the other. */
        static Schedule preempted(int point) {
            AtomicInteger turns = new AtomicInteger();
            return (ready, _) -> {
                List<Integer> others = ready.stream().filter(caller -> caller != 0).toList();
                return others.isEmpty() || (ready.contains(0) && turns.getAndIncrement() <= point)
                        ? 0
                        : others.getFirst();
            };
        }
    }

    /** A caller: its calls, each begun when the one before has ended, on a thread of its own. */
    private static final class Caller implements AutoCloseable {
        private final Iterator<Runnable> calls;
        private final ExecutorService thread = Executors.newSingleThreadExecutor(
                Thread.ofPlatform().name(CALLER).factory());
        private @Nullable Future<?> call;
        private @Nullable Integer session;
        private State state = State.ENDED;

        Caller(Iterator<Runnable> calls) {
            this.calls = calls;
        }

        @Override
        public void close() {
            thread.shutdownNow();
        }
    }

    /** What a caller does: its last call has ended, or is at a point, waits for a lock, or runs. */
    private enum State {
        ENDED, PAUSED, BLOCKED, RUNNING
    }

    /** What a session does; key: of the lock for which it waits, null for none, 0 for a lock of others. */
    private record Session(boolean idle, @Nullable Long key) {
        State state() {
            if (key == null) {
                return State.RUNNING;
            }
            return key == PausePoints.BEFORE ? State.PAUSED : key == PausePoints.BEHIND ? State.RUNNING : State.BLOCKED;
        }
    }

    /** @param application the name of the sessions */
    StatementScheduler(Connection control, String application, Schedule schedule) throws SQLException {
        this.control = control.createStatement();
        this.application = application;
        this.schedule = schedule;
    }

    /** Whether a thread makes the calls of a caller. */
    static boolean isCaller(Thread thread) {
        return thread.getName().equals(CALLER);
    }

    /** How often the first caller went on. */
    int turnsOfTheFirst() {
        return turnsOfTheFirst;
    }

    /** Runs the calls of all callers to their ends; fails as the first call that fails. */
    void run(List<? extends Iterable<Runnable>> callsOfCallers) throws SQLException {
        List<Caller> callers = callsOfCallers.stream().map(each -> new Caller(each.iterator())).toList();
        try {
            sessions();
            Caller last = callers.getFirst();
            while (true) {
                settle(callers);
                List<Caller> ready = callers.stream().filter(each -> each.state == State.PAUSED
                        || (each.state == State.ENDED && each.calls.hasNext())).toList();
                if (ready.isEmpty()) {
                    if (callers.stream().allMatch(each -> each.state == State.ENDED)) {
                        return;
                    }
                    continue; // the server ends a deadlock, or the patience of a call
                }
                last = callers.get(schedule.next(ready.stream().map(callers::indexOf).toList(), callers.indexOf(last)));
                turnsOfTheFirst += last == callers.getFirst() ? 1 : 0;
                goOn(last);
            }
        } finally {
            control.execute("SELECT pg_advisory_unlock_all()");
            callers.forEach(Caller::close);
        }
    }

    private void goOn(Caller caller) throws SQLException {
        if (caller.state == State.ENDED) {
            caller.call = caller.thread.submit(caller.calls.next());
        } else {
            // It goes on only from the second lock, so that it pauses at the first when it comes again.
            int session = Objects.requireNonNull(caller.session);
            open(PausePoints.BEFORE, session);
            if (comesBehind(caller, session)) {
                open(PausePoints.BEHIND, session);
            }
        }
        caller.state = State.RUNNING;
    }

    /**
     * Waits for a session at the second lock; false if its statement has run out of time at the first, so that its call
     * has ended, or the session pauses at the first lock of its next statement.
     */
    private boolean comesBehind(Caller caller, int session) throws SQLException {
        while (!isAt(PausePoints.BEHIND, session)) {
            if (Objects.requireNonNull(caller.call).isDone() || isAt(PausePoints.BEFORE, session)) {
                return false;
            }
            Thread.onSpinWait();
        }
        return true;
    }

    /** Lets the session that waits for a lock have it for a moment. */
    private void open(int lock, int session) throws SQLException {
        control.execute("SELECT pg_advisory_unlock(%1$d, %2$d), pg_advisory_lock(%1$d, %2$d)".formatted(lock, session));
    }

    private boolean isAt(int lock, int session) throws SQLException {
        try (ResultSet rows = control.executeQuery(("SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
                + " AND classid = %d AND pid = %d").formatted(lock, session))) {
            return rows.next();
        }
    }

    /** Waits until no caller runs. */
    private void settle(List<Caller> callers) throws SQLException {
        long deadline = Time.system().deadline(PATIENCE);
        while (true) {
            Map<Integer, Session> sessions = sessions();
            for (Caller caller : callers) {
                if (caller.call != null) {
                    look(caller, sessions, free(callers, sessions));
                }
            }
            if (callers.stream().noneMatch(each -> each.state == State.RUNNING)) {
                return;
            }
            if (Time.system().reached(deadline)) {
                throw new AssertionError("Calls run for more than " + PATIENCE + ": " + sessions);
            }
        }
    }

    private static void look(Caller caller, Map<Integer, Session> sessions, List<Integer> free) {
        Future<?> call = caller.call;
        if (call != null && call.isDone()) {
            caller.call = null;
            caller.session = null;
            caller.state = State.ENDED;
            result(call);
            return;
        }
        Session session = caller.session == null ? null : sessions.get(caller.session);
        if (session == null || session.idle) { // the next transaction of a call may have another
            caller.session = free.isEmpty() ? null : free.getFirst();
            session = caller.session == null ? null : sessions.get(caller.session);
        }
        caller.state = session == null ? State.RUNNING : session.state();
    }

    /** The sessions that wait and that no caller has. */
    private static List<Integer> free(List<Caller> callers, Map<Integer, Session> sessions) {
        Set<Integer> taken = callers.stream().filter(each -> each.session != null).map(each -> each.session)
                .collect(Collectors.toSet());
        return sessions.entrySet().stream()
                .filter(each -> each.getValue().key != null && !taken.contains(each.getKey()))
                .map(Map.Entry::getKey).toList();
    }

    private static void result(Future<?> call) {
        try {
            call.get();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw new AssertionError("A call failed", e.getCause());
        }
    }

    /** All sessions; those that are new pause at their next point. */
    private Map<Integer, Session> sessions() throws SQLException {
        Map<Integer, Session> found = new HashMap<>();
        try (ResultSet rows = control.executeQuery("""
                SELECT session.pid, session.state = 'idle' AS idle, waits.key
                FROM pg_stat_activity AS session LEFT JOIN LATERAL (
                  SELECT CASE WHEN locktype = 'advisory' AND objsubid = 2 THEN classid::bigint ELSE 0 END AS key
                  FROM pg_locks WHERE pg_locks.pid = session.pid AND NOT granted LIMIT 1) AS waits ON true
                WHERE session.application_name = '%s'""".formatted(application))) {
            while (rows.next()) {
                found.put(rows.getInt(1), new Session(rows.getBoolean(2), rows.getObject(3, Long.class)));
            }
        }
        List<Integer> fresh = new ArrayList<>(found.keySet());
        fresh.removeIf(known::contains);
        for (int pid : fresh) {
            control.execute("SELECT pg_advisory_lock(%d, %d), pg_advisory_lock(%d, %2$d)".formatted(PausePoints.BEFORE,
                    pid, PausePoints.BEHIND));
            known.add(pid);
        }
        return found;
    }
}
