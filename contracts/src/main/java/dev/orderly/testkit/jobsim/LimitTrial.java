package dev.orderly.testkit.jobsim;

import dev.orderly.job.Limit;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What limits and keys promise while nothing fails: a slot that another node frees is used at once, a new key comes
 * first, and no key waits while another is served again and again.
 */
final class LimitTrial {
    /** Numbers of jobs from here on are those of trials. */
    static final int FIRST = 20_000_000;
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long SOON = SECOND / 2;
    /** The time from a claim to the start, and some. */
    private static final long CLAIMED = SECOND / 10;
    /** The time from an end to the claim of the next job, and from that to its start, while a handler is free. */
    private static final long SETTLED = SECOND / 40;
    private static final int KEYS = FIRST + 10_000_000;
    private static final int JOBS = 60;
    private static final int SERVED_MOST = 5;

    private final Turns turns;
    private final JobReferee referee;
    private final SimulatedBus bus;
    private final JobSimulation simulation;
    private final List<SimulatedNode> nodes;
    private int number = FIRST;

    /** @param nodes those that work */
    LimitTrial(JobSimulation simulation, List<SimulatedNode> nodes) {
        this.turns = simulation.turns;
        this.referee = simulation.referee;
        this.bus = simulation.bus;
        this.simulation = simulation;
        this.nodes = nodes;
    }

    /** The start or the end of an attempt, by the log of its handler. */
    record Mark(int number, long at, boolean start) {}

    void run() {
        Optional<String> limited = SimulatedQueues.HANDLED.stream().filter(queue -> !SimulatedQueues.isFifo(queue))
                .filter(queue -> isPlain(referee.queues.limit(queue)) && referee.queues.of(queue).perKey().isEmpty())
                .findFirst();
        limited.ifPresent(queue -> freedElsewhere(queue, referee.queues.limit(queue)));
        Limit perKey = referee.queues.of(SimulatedQueues.KEYED).perKey().orElse(null);
        boolean alone = referee.queues.limit(SimulatedQueues.KEYED) == null;
        if (alone && isPlain(perKey)) {
            freedElsewhere(SimulatedQueues.KEYED, perKey);
        }
        if (perKey == null) {
            turnsOfKeys();
        }
        Limit limit = referee.queues.limit(SimulatedQueues.KEYED);
        if (limit != null && perKey != null && perKey.equals(Limit.ofShare(Math.max(1, perKey.share())))
                && limit.concurrency() > 0) {
            shareOfAKey(limit.concurrency(), Math.max(1, limit.concurrency() * perKey.share() / 100));
        }
    }

    private static boolean isPlain(@Nullable Limit limit) {
        return limit != null && limit.concurrency() > 0 && limit.starts() == 0;
    }

    /** A slot that another node frees while no message arrives is used by a node with a free handler at once. */
    private void freedElsewhere(String queue, @Nullable Limit limit) {
        int handlers = (nodes.size() - 1) * referee.queues.of(queue).concurrency();
        if (limit == null || handlers < limit.concurrency()) {
            return;
        }
        SimulatedNode last = nodes.getLast();
        drain(List.of(last), true);
        int first = number;
        push(queue, limit.concurrency(), 8_000);
        until(20, () -> started(first) - limit.concurrency());
        drain(List.of(last), false);
        int waiter = number;
        push(queue, 1, 10);
        bus.losses(1);
        drain(nodes.subList(0, nodes.size() - 1), true);
        until(30, () -> started(waiter) - 1);
        drain(nodes, false);
        bus.losses(0);
        long freed = marks().stream().filter(mark -> !mark.start && mark.number >= first).mapToLong(Mark::at).min()
                .orElse(Long.MAX_VALUE);
        long begun = marks().stream().filter(mark -> mark.start && mark.number >= waiter).mapToLong(Mark::at).min()
                .orElse(Long.MAX_VALUE);
        if (begun - SOON > freed) {
            referee.broken("A slot of queue " + queue + " is free for " + (begun - freed) / 1e9 + " s, while a job"
                    + " waits and a handler is free on " + last.id, null);
        }
        until(20, () -> marks().stream().filter(mark -> !mark.start && mark.number >= first).count()
                - (number - first));
    }

    /** Two keys have waiting jobs all the time, and a third one comes. */
    private void turnsOfKeys() {
        List<Integer> keys = List.of(KEYS, KEYS + 100_000, KEYS + 200_000);
        for (int n = 0; n < JOBS; n++) {
            push(keys.get(0) + n, 200);
            push(keys.get(1) + n, 200);
        }
        until(120, () -> marks().stream().filter(mark -> !mark.start && mark.number >= KEYS).count() - JOBS);
        push(keys.get(2), 200);
        until(5, () -> referee.isAnswered(keys.get(2)) ? 0 : -1);
        long came = turns.now();
        for (int n = 1; n < JOBS; n++) {
            push(keys.get(2) + n, 200);
        }
        until(240, () -> marks().stream().filter(mark -> !mark.start && mark.number >= KEYS).count() - 3L * JOBS);
        judgeTurns(marks().stream().filter(mark -> mark.start && mark.number >= KEYS).toList(), came);
    }

    /** @param came when the push of the first job of the third key was answered */
    private void judgeTurns(List<Mark> starts, long came) {
        int[] left = {JOBS, JOBS, JOBS};
        int[] served = new int[3]; // starts of each key since both of the first two were served after the third came
        long twice = Long.MAX_VALUE; // when a key started twice since the third came
        for (Mark mark : starts) {
            int key = (mark.number - KEYS) / 100_000;
            left[key]--;
            if (left[0] == 0 || left[1] == 0) {
                return; // it may have no waiting jobs any more
            }
            if (mark.at < came + CLAIMED) {
                continue; // may have been claimed before
            }
            if (left[2] == JOBS && mark.at - CLAIMED > twice) {
                referee.broken("A new key waits while another is served twice", null);
            }
            served[key]++;
            twice = left[2] == JOBS && served[key] == 2 ? Math.min(twice, mark.at) : twice;
            if (served[2] > SERVED_MOST && (served[0] == 0 || served[1] == 0)) {
                referee.broken("A new key is served " + served[2] + " times while another waits", null);
            }
            if (served[0] > 0 && served[1] > 0 && left[2] < JOBS) {
                served = new int[3];
            }
        }
    }

    /**
     * A key has all slots, and another comes: until that has its share, the first starts none above its own.
     *
     * @param slots those of the limit
     * @param share slots that a key has at most
     */
    private void shareOfAKey(int slots, int share) {
        int other = KEYS + 100_000;
        for (int n = 0; n < JOBS; n++) {
            push(KEYS + n, 300 + 100 * (n % 7));
        }
        until(60, () -> started(KEYS) - JOBS / 4);
        for (int n = 0; n < JOBS / 4; n++) {
            push(other + n, 500);
        }
        until(5, () -> referee.isAnswered(other + JOBS / 4 - 1) ? 0 : -1);
        long came = turns.now();
        until(240, () -> marks().stream().filter(mark -> !mark.start && mark.number >= KEYS).count() - JOBS - JOBS / 4);
        judgeShares(marks().stream().filter(mark -> mark.number >= KEYS).toList(), slots, share, came);
    }

    /**
     * Judges the starts that took the last slot, right after the end that freed it: then the claim knew all that ran.
     *
     * @param came when the pushes of the second key were answered
     */
    private void judgeShares(List<Mark> all, int slots, int share, long came) {
        int other = KEYS + 100_000;
        Set<Integer> running = new HashSet<>();
        long left = all.stream().filter(mark -> mark.start && mark.number >= other).count();
        for (int n = 0; n < all.size() && left > 0; n++) {
            Mark mark = all.get(n);
            if (!mark.start) {
                running.remove(mark.number);
                continue;
            }
            long others = running.stream().filter(number -> number >= other).count();
            boolean sure = mark.at > came + CLAIMED && running.size() == slots - 1 && !all.get(n - 1).start
                    && mark.at - all.get(n - 2).at > SETTLED && all.get(n + 1).at - mark.at > SETTLED;
            if (sure && mark.number < other && running.size() - others >= share && others < share) {
                referee.broken("A key that has its share of " + share + " starts job " + mark.number
                        + ", while another key waits and has less", null);
            }
            left -= mark.number >= other ? 1 : 0;
            running.add(mark.number);
        }
    }

    private void client(SimulatedNode node, String queue, Work work) {
        node.start("client", () -> simulation.push(node, queue, work, Step.Once.NOTHING));
    }

    private void drain(List<SimulatedNode> some, boolean on) {
        some.forEach(node -> node.start("operator", () -> simulation.drain(node, on)));
        turns.run(referee::isBroken, turns.now() + SECOND);
    }

    private List<Mark> marks() {
        return referee.marks();
    }

    private long started(int from) {
        return marks().stream().filter(mark -> mark.start && mark.number >= from).count();
    }

    private void push(String queue, int count, int millis) {
        for (int n = 0; n < count; n++) {
            int next = number++;
            client(nodes.getFirst(), queue, new Work(next, millis, "t"));
        }
    }

    private void push(int job, int millis) {
        client(nodes.get(job % nodes.size()), SimulatedQueues.KEYED, new Work(job, millis, "t"));
    }

    /** Goes on until a count is not negative, at most so many seconds. */
    private void until(int seconds, LongSupplier missing) {
        long end = turns.now() + seconds * SECOND;
        turns.run(() -> referee.isBroken() || missing.getAsLong() >= 0, end);
    }
}
