package dev.orderly.testkit.jobsim;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * One thing that a client, an operator or a disturbance does.
 *
 * @param seed of the order of everything that no step decides
 * @param at milliseconds after the start
 * @param slot the place of the node that it concerns, or through which it is done
 */
public record Step(long seed, int at, int slot, Action action) {
    /** Whether calls and answers come through. */
    public enum Way {
        WHOLE,
        /** Every call fails at once, and nothing is done. */
        REFUSED,
        /** No call arrives. */
        SWALLOWED,
        /** Every call arrives, and no answer does. */
        UNANSWERED
    }

    /** What may be written to the disk of a store. */
    public enum DiskRoom {
        ALL,
        /** Files cannot become larger. */
        OVERWRITES,
        /** Files cannot be overwritten either, as where a file system copies what it writes (btrfs, ZFS). */
        NOTHING
    }

    /** What keeps a push from making a second job. */
    public enum Once {
        NOTHING, DEDUPE,
        /** A unique key, one for each group. */
        UNIQUE
    }

    /** What is done. */
    public sealed interface Action {
        /**
         * Pushes some jobs one after the other.
         *
         * @param batch chooses the batch whose members they are; 0 for none
         */
        record Push(int number, int count, String queue, String group, int millis, String plan, Once once, int batch)
                implements
                    Action {}

        /**
         * Opens a batch, pushes members into it, and closes it, as an importer does.
         *
         * @param callback the push that says what its callback is
         * @param waits whether it waits for dead letters
         * @param closes whether it is closed then; otherwise a {@link Close} does that, or a {@link CancelBatch}
         */
        record Open(int number, Push callback, boolean waits, Push members, boolean closes) implements Action {}

        /** Closes one of the batches that were opened last. */
        record Close(int pick) implements Action {}

        record CancelBatch(int pick) implements Action {}

        /** Sends an event to one of the jobs pushed so far that ask for one. */
        record Event(int pick) implements Action {}

        /** Cancels one of the jobs pushed so far. */
        record Cancel(int pick) implements Action {}

        record Pause(String queue, boolean on) implements Action {}

        /** Pauses or resumes one group of a FIFO queue, or the key of the same jobs in a queue with keys. */
        record PauseKey(String queue, String group, boolean on) implements Action {}

        record Redrive(String queue) implements Action {}

        record Drain(boolean on) implements Action {}

        /** Sets the concurrency of the shared limit; 0 for the declared one. */
        record ChangeLimit(int concurrency) implements Action {}

        record Handler(String queue, boolean attached) implements Action {}

        /**
         * A worker elsewhere asks for jobs.
         *
         * @param lease seconds for which it has them
         * @param patience seconds for which it waits for them
         */
        record Pull(String queue, int max, int lease, int patience) implements Action {}

        /**
         * A caller's transaction locks a group, in all queues. If it commits at its end, it has pushed a job.
         *
         * @param push null if it never commits
         */
        record Hold(String group, int millis, @Nullable Push push) implements Action {}
    }

    /** What befalls a node, its machine, and its way to the store and to the others. */
    public sealed interface Disturbance extends Action {
        /** The time after which it is over; 0 for what takes no time. */
        default int millis() {
            return 0;
        }

        /** Stops the node in order, and starts another in its place. */
        record Restart(int backAfter) implements Disturbance {}

        /** Kills the process, and starts another in its place. */
        record Crash(int backAfter) implements Disturbance {}

        /** Pauses the process. If the machine is suspended, its monotonic clock stands still as well. */
        record Freeze(int millis, boolean machine) implements Disturbance {}

        /** Sets the wall clock, ahead of the true time or behind it. */
        record Clock(int millis) implements Disturbance {}

        /** Breaks the way to the store. */
        record Cut(Way how, int millis) implements Disturbance {}

        /** Makes calls of the store fail. */
        record Faults(int percent, int millis) implements Disturbance {}

        /** Makes calls of the store slow. */
        record Slow(int latency, int millis) implements Disturbance {}

        /** Loses the answer of the next call of one name, and of no other. */
        record LoseAnswer(String call) implements Disturbance {}

        /** Another thing that befalls the node in the moment in which its next call of one name is answered. */
        record After(String call, Disturbance disturbance) implements Disturbance {}

        /** Loses messages between all nodes. */
        record Losses(int percent, int millis) implements Disturbance {}

        /** Leaves the disk of the store this room. */
        record FullDisk(DiskRoom room, int millis) implements Disturbance {}
    }

    @Override
    public String toString() {
        return at + " ms, n" + slot + ": " + action;
    }

    private static final List<String> QUEUES = SimulatedQueues.NAMES;
    private static final String[] PLANS = {"", "", "", "", "f", "ff", "fff", "d", "l", "s", "ss", "i", "ii", "fd",
            "sf"};
    private static final String[] CALLS = {"push", "claim", "settle", "release", "await", "event", "finish", "keep",
            "close"};
    private static final int KINDS = 23;
    private static final Once[] ONCE = Once.values();
    private static final int AROUND = 24;
    private static final int AROUND_SPAN = 8_000;
    /** The kind of {@link Action.Pull}. */
    static final int PULL = 1;
    static final int PAUSE = 2;
    static final int CUT = 10;
    static final int LOSE_ANSWER = 22;
    /** The kind of {@link Action.Open}. */
    private static final int OPEN = 19;
    /** Of so many pushes, in a run with batches, one is of members. */
    private static final int MEMBERS = 3;
    /** The time between steps that come together, in milliseconds: about that of a call. */
    private static final int BURST = 12;
    /** How often each kind of action comes, in a run that favours none. */
    private static final int[] WEIGHTS = {10, 4, 8, 4, 3, 3, 3, 4, 5, 2, 5, 3, 2, 3, 2, 4, 6, 4, 8, 8, 5, 2, 12};

    /**
     * The favours of a seed, so that runs differ more than their length would let them: many kinds of actions are left
     * out of a run, others come often, and most jobs go to one queue.
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Favours(int pushes, int[] weights, String queue, int groups, int longest, int most) {
        static Favours random(Random random) {
            int[] weights = new int[KINDS];
            for (int kind = 0; kind < KINDS; kind++) {
                weights[kind] = WEIGHTS[kind] * switch (random.nextInt(4)) {
                    case 0, 1 -> 0;
                    case 2 -> 1;
                    default -> 4;
                };
            }
            String queue = QUEUES.get(random.nextInt(QUEUES.size()));
            if (SimulatedQueues.PULLED.contains(queue)) {
                weights[PULL] = 60; // nothing else runs its jobs
            }
            return new Favours(20 + random.nextInt(60), weights, queue,
                    1 + random.nextInt(3), 20 << random.nextInt(12), 1 << random.nextInt(5));
        }

        int kind(Random random) {
            int total = 1;
            for (int weight : weights) {
                total += weight;
            }
            int left = random.nextInt(total);
            for (int kind = 0; kind < KINDS; kind++) {
                left -= weights[kind];
                if (left < 0) {
                    return kind;
                }
            }
            return 0;
        }
    }

    /** Random steps, in the order of their moments. */
    static List<Step> random(long seed, int count, int span, int most) {
        Random random = new Random(seed * 0x9E3779B97F4A7C15L + 1);
        int slots = 1 + random.nextInt(most);
        Favours favours = Favours.random(random);
        List<Step> steps = new ArrayList<>();
        int at = 0;
        for (int n = 1; n <= count; n++) {
            at = n > 1 && random.nextInt(3) == 0 ? at + random.nextInt(BURST) : random.nextInt(span);
            int slot = random.nextInt(slots);
            steps.add(new Step(seed, at, slot, action(n, favours, random)));
        }
        steps.sort(Comparator.comparingInt(Step::at));
        return steps;
    }

    /** Random steps of some kinds, with pushes into one queue, so that these meet in every run. */
    static List<Step> around(long seed, String queue, int... kinds) {
        Random random = new Random(seed * 0x9E3779B97F4A7C15L + 3);
        int[] weights = new int[KINDS];
        for (int kind : kinds) {
            weights[kind] = WEIGHTS[kind];
        }
        Favours favours = new Favours(30, weights, queue, 2, 40, 16);
        List<Step> steps = new ArrayList<>();
        for (int n = 1; n <= AROUND; n++) {
            steps.add(new Step(seed, random.nextInt(AROUND_SPAN), random.nextInt(2), action(n, favours, random)));
        }
        steps.sort(Comparator.comparingInt(Step::at));
        return steps;
    }

    /**
     * These steps, and up to three times at which the disk is full. They are drawn apart, so that all else is as it is
     * on a store without a disk.
     */
    static List<Step> withFullDisk(List<Step> steps, int span) {
        long seed = steps.getFirst().seed();
        Random random = new Random(seed * 0x9E3779B97F4A7C15L + 5);
        List<Step> all = new ArrayList<>(steps);
        for (int n = random.nextInt(4); n > 0; n--) {
            int at = random.nextBoolean()
                    ? random.nextInt(span)
                    : steps.get(random.nextInt(steps.size())).at + random.nextInt(BURST);
            all.add(new Step(seed, at, 0, new Disturbance.FullDisk(
                    random.nextBoolean() ? DiskRoom.OVERWRITES : DiskRoom.NOTHING, span(random))));
        }
        all.sort(Comparator.comparingInt(Step::at));
        return all;
    }

    /** A time that a disturbance lasts, in milliseconds. */
    private static int span(Random random) {
        return random.nextBoolean() ? 20_000 + random.nextInt(30_000) : 1_000 + random.nextInt(8_000);
    }

    private static Action action(int number, Favours favours, Random random) {
        String queue = random.nextInt(4) == 0 ? QUEUES.get(random.nextInt(QUEUES.size())) : favours.queue;
        int span = span(random);
        if (random.nextInt(100) < favours.pushes) {
            return push(number, queue, favours, random);
        }
        return switch (favours.kind(random)) {
            case 0 -> new Action.Cancel(random.nextInt(1 << 20));
            case PULL -> new Action.Pull(pulled(queue, random), 1 + random.nextInt(5), 5 + random.nextInt(20),
                    random.nextInt(15));
            case 2 -> new Action.Pause(queue, random.nextBoolean());
            case 3 -> new Action.Redrive(queue);
            case 4 -> new Action.Drain(random.nextBoolean());
            case 5 -> new Action.Handler(queue, random.nextBoolean());
            case 6 -> new Disturbance.Restart(500 + random.nextInt(10_000));
            case 7 -> new Disturbance.Crash(500 + random.nextInt(15_000));
            case 8 -> new Disturbance.Freeze(span, random.nextInt(3) == 0);
            case 9 -> new Disturbance.Clock(random.nextInt(120_000) - 60_000);
            case 10 -> new Disturbance.Cut(Way.values()[1 + random.nextInt(3)], span);
            case 11 -> new Disturbance.Faults(5 + random.nextInt(40), span);
            case 12 -> new Disturbance.Slow(50 + random.nextInt(3_000), span);
            case 13 -> new Action.Hold("g" + random.nextInt(favours.groups), 100 + random.nextInt(span),
                    random.nextBoolean() ? push(number, queue, favours, random) : null);
            case 14 -> new Disturbance.Losses(20 + random.nextInt(80), span);
            case 15 -> new Disturbance.After(CALLS[random.nextInt(CALLS.length)], random.nextInt(3) == 0
                    ? new Disturbance.Crash(500 + random.nextInt(15_000))
                    : new Disturbance.Freeze(span, random.nextInt(3) == 0));
            case 16 -> new Action.ChangeLimit(random.nextInt(5));
            case 17 -> new Action.PauseKey(queue, "g" + random.nextInt(favours.groups), random.nextBoolean());
            case 18 -> new Action.Event(random.nextInt(1 << 20));
            case OPEN -> new Action.Open(number, push(number, queue, favours, random), random.nextBoolean(),
                    push(number, queue, favours, random), random.nextBoolean());
            case 20 -> new Action.Close(random.nextInt(1 << 20));
            case 21 -> new Action.CancelBatch(random.nextInt(1 << 20));
            default -> new Disturbance.LoseAnswer(CALLS[random.nextInt(CALLS.length)]);
        };
    }

    private static String pulled(String queue, Random random) {
        List<String> pulled = SimulatedQueues.PULLED;
        return pulled.contains(queue) ? queue : pulled.get(random.nextInt(pulled.size()));
    }

    private static Action.Push push(int number, String queue, Favours favours, Random random) {
        int millis = random.nextInt(15) == 0 ? random.nextInt(40_000) : random.nextInt(favours.longest);
        return new Action.Push(number * 100, 1 + random.nextInt(favours.most + 1), queue,
                "g" + random.nextInt(favours.groups), millis, PLANS[random.nextInt(PLANS.length)],
                SimulatedQueues.isFifo(queue) ? ONCE[random.nextInt(2)] : ONCE[random.nextInt(3)],
                favours.weights[OPEN] > 0 && random.nextInt(MEMBERS) == 0 ? 1 + random.nextInt(1 << 20) : 0);
    }
}
