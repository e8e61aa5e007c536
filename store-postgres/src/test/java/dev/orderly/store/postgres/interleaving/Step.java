package dev.orderly.store.postgres.interleaving;

import dev.orderly.job.QueueName;
import dev.orderly.testkit.contract.job.JobDraft;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;

/**
 * One call of one node.
 *
 * @param seed of the order of statements, the same in all steps of a run
 * @param node whose call it is
 * @param pick chooses among the jobs, groups or keys that there are
 */
record Step(long seed, int node, Kind kind, int pick) {
    static final int NODES = 4;
    private static final int STEPS = 24;
    /** Of so many seeds, one also pauses and resumes keys and groups, so often. */
    private static final int PAUSING = 2;
    private static final int PAUSES = 10;

    /** Two queues with one limit. */
    static final QueueName MAIL = JobDraft.MAIL;
    static final QueueName REPORTS = new QueueName("reports");
    /** A queue with groups. */
    static final QueueName ORDERS = JobDraft.ORDERS;
    /** A queue whose keys have a limit each. */
    static final QueueName EXPORTS = new QueueName("exports");
    /** A queue without a limit, whose pushes ask for the hand-off. */
    static final QueueName ROWS = new QueueName("rows");

    /** The queue of the callbacks of batches. */
    static final QueueName CALLED = new QueueName("called");

    /** What is called. */
    enum Kind {
        PUSH_MAIL, PUSH_REPORT, PUSH_ORDER, PUSH_EXPORT, PUSH_ROW, PUSH_UNIQUE, PUSH_DEDUPED, PUSH_SEVERAL, CLAIM,
        DONE,
        DONE_ALL, GIVE_BACK, RETRY, CANCEL, RUN_NOW, BEAT, UPKEEP, PAUSE_AND_RESUME,
        PAUSE_KEY, RESUME_KEY, PAUSE_GROUP, RESUME_GROUP,
        /** Ends as a dead letter; dead letters wait again; what a node holds is given back, as after a crash. */
        DEAD, REDRIVE, CRASH,
        /** Time passes. */
        PASS, EVENT, AWAIT, KEEP_STEP, STALE,
        /** Another thread of the node before gives back, or ends, what that node holds. */
        EVICT, DONE_BESIDE, CLAIM_ROWS, PUSH_MEMBER, PUSH_CHILD, CLOSE, CANCEL_BATCH, FINISH
    }

    private static final List<Kind> PAUSES_OF_KEYS = List.of(Kind.PAUSE_KEY, Kind.RESUME_KEY, Kind.PAUSE_GROUP,
            Kind.RESUME_GROUP);
    private static final List<Kind> OTHERS = List.copyOf(EnumSet.range(Kind.PUSH_MAIL, Kind.PAUSE_AND_RESUME));
    private static final List<Kind> OF_EVENTS = List.of(Kind.EVENT, Kind.EVENT, Kind.EVENT, Kind.AWAIT, Kind.AWAIT,
            Kind.AWAIT, Kind.KEEP_STEP, Kind.KEEP_STEP, Kind.EVICT, Kind.EVICT, Kind.STALE, Kind.CRASH, Kind.DEAD,
            Kind.REDRIVE, Kind.PASS, Kind.RETRY,
            Kind.CANCEL, Kind.BEAT, Kind.UPKEEP);
    private static final List<Kind> OF_BATCHES = List.of(Kind.PUSH_MEMBER, Kind.PUSH_MEMBER, Kind.PUSH_CHILD,
            Kind.CLOSE, Kind.CLOSE, Kind.FINISH, Kind.FINISH, Kind.FINISH, Kind.CANCEL_BATCH, Kind.DEAD, Kind.REDRIVE,
            Kind.CRASH, Kind.CANCEL, Kind.RETRY, Kind.DONE_ALL);

    private static Kind drawn(Random random, List<Kind> kinds) {
        return kinds.get(random.nextInt(kinds.size()));
    }

    /** The steps of a seed: each node first pushes some jobs, so that there is something to claim at once. */
    static List<Step> random(long seed) {
        Random random = new Random(seed);
        List<Step> steps = new ArrayList<>();
        for (int node = 0; node < NODES; node++) {
            steps.add(new Step(seed, node, Kind.PUSH_SEVERAL, random.nextInt(100)));
        }
        for (int n = 0; n < STEPS; n++) {
            Kind kind = switch (random.nextInt(6)) {
                case 0, 1 -> Kind.CLAIM;
                case 2, 3 -> Kind.DONE;
                default -> drawn(random, OTHERS);
            };
            steps.add(new Step(seed, random.nextInt(NODES), kind, random.nextInt(100)));
        }
        for (int n = 0; n < PAUSES && seed % PAUSING == 0; n++) {
            steps.add(NODES + random.nextInt(STEPS), new Step(seed, random.nextInt(NODES),
                    drawn(random, PAUSES_OF_KEYS), random.nextInt(100)));
        }
        return steps;
    }

    /** Jobs that await an event and do steps, few enough for calls to meet. */
    static List<Step> ofEvents(long seed) {
        Random random = new Random(seed);
        return mixed(seed, random, List.of(Kind.PUSH_ROW, Kind.PUSH_ORDER), OF_EVENTS);
    }

    /** Members of two batches. */
    static List<Step> ofBatches(long seed) {
        Random random = new Random(seed);
        return mixed(seed, random, List.of(Kind.PUSH_MEMBER), OF_BATCHES);
    }

    private static List<Step> mixed(long seed, Random random, List<Kind> first, List<Kind> others) {
        List<Step> steps = new ArrayList<>();
        for (int node = 0; node < NODES; node++) {
            steps.add(new Step(seed, node, drawn(random, first), random.nextInt(100)));
            steps.add(new Step(seed, node, Kind.CLAIM, random.nextInt(100)));
        }
        for (int n = 0; n < STEPS; n++) {
            Kind kind = switch (random.nextInt(6)) {
                case 0 -> Kind.CLAIM;
                case 1 -> Kind.DONE;
                default -> drawn(random, others);
            };
            steps.add(new Step(seed, random.nextInt(NODES), kind, random.nextInt(100)));
        }
        return steps;
    }
}
