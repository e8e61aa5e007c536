package dev.orderly.testkit.jobsim;

import dev.orderly.job.store.JobStore;
import dev.orderly.store.StoreException;
import dev.orderly.testkit.jobsim.Step.Way;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The way of a node to its store. Each call is three events at moments of the seed's choice: it arrives and is done in
 * one of them, since a store serialises what matters, and is answered in another; or one of them never comes.
 */
final class SimulatedLink {
    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);
    /** The longest wait for an answer, as stores have it. */
    private static final long ANSWER = TimeUnit.SECONDS.toNanos(15);
    private static final long BEAT_ANSWER = TimeUnit.SECONDS.toNanos(5);

    private final Turns turns;
    private final SimulatedNode node;
    private final JobReferee referee;
    private Way way = Way.WHOLE;
    private long latency = 2 * MILLI;
    private double faults;
    private String doomed = "";
    private String awaited = "";
    private Runnable trap = () -> {};
    private int lost;

    private static final class Exchange {
        private @Nullable Object answer;
        private @Nullable RuntimeException failure;
        private boolean over;
    }

    SimulatedLink(Turns turns, SimulatedNode node, JobReferee referee) {
        this.turns = turns;
        this.node = node;
        this.referee = referee;
    }

    Way way() {
        return way;
    }

    void set(Way next) {
        way = next;
    }

    /** @param most the longest time of a call on its way, and of an answer */
    void latency(long most) {
        latency = most;
    }

    /** @param odds of a fault in each call */
    void faults(double odds) {
        faults = odds;
    }

    /** Loses the answer of the next call of this name, and of no other. */
    void loseNext(String call) {
        doomed = call;
    }

    /** Runs something when the next call of this name is answered, before its caller goes on. */
    void afterNext(String call, Runnable action) {
        awaited = call;
        trap = action;
    }

    /** The number of calls so far that failed, on their way or in the store, or whose answer was lost. */
    int lost() {
        return lost;
    }

    void heal() {
        doomed = "";
        awaited = "";
        way = Way.WHOLE;
        latency = 2 * MILLI;
        faults = 0;
    }

    @SuppressWarnings({"unchecked", "NullAway"}) // the answer of the method that was called; null of a void one
    <T extends @Nullable Object> T call(String method, Object[] arguments, Supplier<T> work) {
        // the claims for workers elsewhere are a node of their own to the store
        boolean beats = method.equals("beat") && node.id.equals(arguments[0]);
        String what = method.equals("beat") && !beats ? "beat of pulls" : method;
        Exchange exchange = new Exchange();
        Thread caller = Thread.currentThread();
        SimulatedNode.Moment sent = node.moment();
        begin(what, () -> work.get(), exchange, caller);
        boolean interrupted = false;
        while (!exchange.over) {
            LockSupport.park(this);
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            caller.interrupt();
        }
        if (exchange.failure != null) {
            throw exchange.failure;
        }
        if (beats) {
            node.beatAnswered(sent);
        }
        if (exchange.answer instanceof JobStore.ClaimedJobs claimed) {
            referee.claimed(claimed.jobs(), sent.at());
        }
        return (T) exchange.answer;
    }

    private void begin(String what, Supplier<Object> work, Exchange exchange, Thread caller) {
        long limit = what.startsWith("beat") ? BEAT_ANSWER : ANSWER;
        Way now = way;
        if (now == Way.WHOLE && turns.random.nextDouble() < faults) {
            now = switch (turns.random.nextInt(4)) {
                case 0, 1 -> Way.REFUSED;
                case 2 -> Way.UNANSWERED;
                default -> Way.SWALLOWED;
            };
            limit = Math.min(limit, turns.within(limit) + MILLI);
        }
        if (now == Way.WHOLE && what.equals(doomed)) {
            now = Way.UNANSWERED;
            doomed = "";
        }
        lost += now == Way.WHOLE ? 0 : 1;
        long delay = turns.within(latency);
        switch (now) {
            case WHOLE -> turns.in(delay, () -> {
                perform(what, work, exchange);
                turns.in(turns.within(latency), () -> answered(what, exchange, caller));
            });
            case REFUSED -> turns.in(delay, () -> fail(what, exchange, caller,
                    new StoreException.Unavailable("Refused: " + what, null)));
            case SWALLOWED -> turns.in(limit, () -> fail(what, exchange, caller,
                    new StoreException.OutcomeUnknown("Swallowed: " + what, null)));
            case UNANSWERED -> {
                turns.in(delay, () -> perform(what, work, new Exchange()));
                turns.in(Math.max(delay, limit), () -> fail(what, exchange, caller,
                        new StoreException.OutcomeUnknown("Unanswered: " + what, null)));
            }
        }
    }

    /** On the carrier, so that the store may wait by whatever means it likes. */
    private void perform(String what, Supplier<Object> work, Exchange exchange) {
        try {
            exchange.answer = work.get();
        } catch (RuntimeException e) {
            exchange.failure = e;
            lost += e instanceof StoreException && !(e instanceof StoreException.Blocked) ? 1 : 0;
        }
        turns.note(what.hashCode());
        referee.called(what);
    }

    private void answered(String what, Exchange exchange, Thread caller) {
        if (what.equals(awaited)) {
            awaited = "";
            trap.run();
        }
        answer(exchange, caller);
    }

    private void fail(String what, Exchange exchange, Thread caller, RuntimeException why) {
        exchange.failure = why;
        referee.lost(node, what, why);
        answer(exchange, caller);
    }

    private static void answer(Exchange exchange, Thread caller) {
        exchange.over = true;
        LockSupport.unpark(caller);
    }
}
