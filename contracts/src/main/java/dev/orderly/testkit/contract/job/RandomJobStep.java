package dev.orderly.testkit.contract.job;

import dev.orderly.job.OnDead;
import dev.orderly.job.Priority;
import dev.orderly.job.QueueName;
import dev.orderly.job.WhenDead;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.NewJob;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One step of a random run. A {@code pick} is any number; it selects one of the nodes, group runs or jobs at the time
 * of the step, so a list of commands remains valid when some are left out.
 */
sealed interface RandomJobStep {
    record Push(List<Item> items) implements RandomJobStep {}

    /** A push on a node that could run the jobs at once. */
    record HandOff(int pick, List<Item> items) implements RandomJobStep {}

    record Claim(int pick, QueueName queue, int limit) implements RandomJobStep {}

    /** A claim of a node that cannot read some jobs. */
    record PassOver(int pick, QueueName queue, int limit) implements RandomJobStep {}

    record Settle(int pick, How how, int seconds) implements RandomJobStep {}

    /** Leases the first job of a run. */
    record Lease(int pick, int seconds) implements RandomJobStep {}

    /** Reports a leased job, or prolongs its lease if {@code how} is null. */
    record Report(int pick, @Nullable How how, int seconds) implements RandomJobStep {}

    /** Settles an attempt that is over. */
    record SettleAgain(int pick, How how) implements RandomJobStep {}

    /** Settles an attempt that another node holds. */
    record SettleOthers(int pick, How how) implements RandomJobStep {}

    record Beat(int pick) implements RandomJobStep {}

    /** A node dies, and another node takes its place. */
    record Die(int pick) implements RandomJobStep {}

    record Upkeep(int limit, Map<QueueName, OnDead> onDead) implements RandomJobStep {}

    record Pass(Duration step) implements RandomJobStep {}

    record Pause(QueueName queue, boolean paused) implements RandomJobStep {}

    record Redrive(QueueName queue, int limit) implements RandomJobStep {}

    record Cancel(int pick) implements RandomJobStep {}

    /** Cancels a job that a node holds, and gives back its run. */
    record CancelAndGiveBack(int pick) implements RandomJobStep {}

    record RunNow(int pick) implements RandomJobStep {}

    /** Gives back jobs of a node, except those of some runs. */
    record Release(int pick, int kept) implements RandomJobStep {}

    /** A node leaves. */
    record Leave(int pick) implements RandomJobStep {}

    /**
     * Opens a batch, or one that is kept again.
     *
     * @param group of the callback; null for one of a standard queue
     */
    record OpenBatch(int pick, String name, WhenDead whenDead, @Nullable String group) implements RandomJobStep {}

    record CloseBatch(int pick) implements RandomJobStep {}

    record CancelBatch(int pick) implements RandomJobStep {}

    /** Cancels the members of a cancelled batch that have not ended, as engines do. */
    record CancelMembers(int pick) implements RandomJobStep {}

    record FinishBatches() implements RandomJobStep {}

    /** Keeps a step of an attempt that runs, is leased, or is over. */
    record KeepStep(int pick, String name, int value) implements RandomJobStep {}

    /** Asks for events as an attempt that runs or is leased, and ends it as awaiting them if {@code ends}. */
    record Await(int pick, Set<String> names, int seconds, boolean ends) implements RandomJobStep {}

    /** Sends an event to any job. */
    record SendEvent(int pick, String name, int value) implements RandomJobStep {}

    record Crash() implements RandomJobStep {}

    /** The run goes on with a copy of the store. */
    record Copy() implements RandomJobStep {}

    enum How {
        DONE,
        RETRY,
        SNOOZE,
        GIVE_BACK,
        DEAD,
        HALT,
        CANCELLED,
        UNREAD,
        UNREAD_FOR_NOW;

        AttemptOutcome outcome(JobTrial trial, int seconds) {
            Instant later = trial.in(Duration.ofSeconds(seconds));
            return switch (this) {
                case DONE -> new AttemptOutcome.Done(null);
                case RETRY -> new AttemptOutcome.Retry(later, TestNode.FAILURE);
                case SNOOZE -> new AttemptOutcome.Snooze(later);
                case GIVE_BACK -> new AttemptOutcome.GiveBack();
                case DEAD -> new AttemptOutcome.Dead(TestNode.FAILURE, false);
                case HALT -> new AttemptOutcome.Dead(TestNode.FAILURE, true);
                case CANCELLED -> new AttemptOutcome.Cancelled("Given up");
                case UNREAD -> new AttemptOutcome.Unread(UnreadPart.WHY, null);
                case UNREAD_FOR_NOW -> new AttemptOutcome.Unread(UnreadPart.WHY, later);
            };
        }
    }

    /**
     * A job to push.
     *
     * @param delay in seconds, zero for none
     * @param member what makes it a member of a batch; null for none
     */
    record Item(String body, @Nullable String group, Priority priority, int delay, @Nullable String dedupe,
            @Nullable String key, @Nullable Member member) {
        QueueName queue() {
            return group == null ? JobDraft.MAIL : JobDraft.ORDERS;
        }

        NewJob job(JobTrial trial) {
            JobDraft draft = JobDraft.to(queue(), group(), body()).priority(priority());
            if (delay() > 0) {
                draft = draft.at(trial.in(Duration.ofSeconds(delay())));
            }
            if (dedupe() != null) {
                draft = draft.dedupe(dedupe()).standingFor(body().length() % 2 == 0 ? "even" : "odd");
            }
            if (key() != null) {
                // Two requests share each key, so that some are refused.
                draft = draft.idempotency(key(), body().length() % 2 == 0 ? "even" : "odd");
            }
            return draft.job();
        }
    }

    /**
     * A place in a batch.
     *
     * @param batch a pick
     * @param ofRunning whether a running job pushes the member, one of the batch if any runs
     */
    record Member(int batch, boolean ofRunning) {}

    static List<RandomJobStep> random(long seed, int length) {
        Random random = new Random(seed);
        return IntStream.range(0, length).mapToObj(n -> next(random, n)).toList();
    }

    /** As {@link #random}, with a copy after each {@code span} commands. */
    static List<RandomJobStep> copying(long seed, int length, int span) {
        List<RandomJobStep> commands = new ArrayList<>(random(seed, length));
        for (int at = span; at <= commands.size(); at += span + 1) {
            commands.add(at, new Copy());
        }
        return commands;
    }

    private static RandomJobStep next(Random random, int n) {
        int pick = random.nextInt(1 << 20);
        QueueName queue = random.nextBoolean() ? JobDraft.MAIL : JobDraft.ORDERS;
        return switch (random.nextInt(76)) {
            case 0, 1, 2, 3, 4, 5, 6, 7 -> new Push(items(random, n));
            case 8, 9, 10, 11, 12, 13, 14, 15 -> new Claim(pick, queue, 1 + random.nextInt(4));
            case 16, 17, 18, 19, 20, 21, 22, 23 -> new Settle(pick, how(random), random.nextInt(90));
            case 24, 25 -> new SettleAgain(pick, how(random));
            case 26 -> new SettleOthers(pick, how(random));
            case 27, 28 -> new Beat(pick);
            case 29 -> new Die(pick);
            case 30, 31 -> new Upkeep(1 + random.nextInt(8), onDead(random));
            case 32, 33, 34 -> new Pass(step(random));
            case 35 -> new Pause(queue, random.nextInt(3) == 0);
            case 36 -> new Redrive(queue, 1 + random.nextInt(3));
            case 37, 38 -> new Cancel(pick);
            case 39 -> new Lease(pick, 5 + random.nextInt(120));
            case 40 -> new Report(pick, random.nextInt(3) == 0 ? null : how(random), 1 + random.nextInt(90));
            case 41, 42 -> new HandOff(pick, items(random, n));
            case 43, 44 -> new PassOver(pick, queue, 1 + random.nextInt(4));
            case 45, 46 -> new CancelAndGiveBack(pick);
            case 47, 48 -> new RunNow(pick);
            case 49, 50 -> new Release(pick, random.nextInt(3));
            case 51 -> new Leave(pick);
            case 52 -> new Crash();
            case 53, 54 -> new OpenBatch(pick, "batch-" + n, random.nextBoolean() ? WhenDead.WAIT : WhenDead.FINISH,
                    random.nextBoolean() ? "g" + random.nextInt(3) : null);
            case 55 -> new CloseBatch(pick);
            case 56 -> new CancelBatch(pick);
            case 57, 58 -> new CancelMembers(pick);
            case 59, 60, 61 -> new FinishBatches();
            case 62, 63, 64, 65 -> new KeepStep(pick, "step-" + random.nextInt(5), random.nextInt(4));
            case 66, 67, 68, 69, 70 -> new Await(pick, names(random), 1 + random.nextInt(300), random.nextInt(3) > 0);
            default -> new SendEvent(pick, "event-" + random.nextInt(3), random.nextInt(4));
        };
    }

    /** Never a sum of whole seconds, so that no deadline is met exactly to the millisecond. */
    private static Duration step(Random random) {
        int seconds = random.nextInt(6) == 0 ? 200 + random.nextInt(1_500) : random.nextInt(25);
        return Duration.ofSeconds(seconds).plusMillis(7);
    }

    /** A queue without an entry keeps its earlier setting, or the default. */
    private static Map<QueueName, OnDead> onDead(Random random) {
        return random.nextInt(3) > 0
                ? Map.of()
                : Map.of(JobDraft.ORDERS, random.nextBoolean() ? OnDead.HALT : OnDead.CONTINUE);
    }

    private static How how(Random random) {
        return random.nextInt(3) == 0 ? How.DONE : How.values()[random.nextInt(How.values().length)];
    }

    private static Set<String> names(Random random) {
        return IntStream.rangeClosed(0, random.nextInt(2)).mapToObj(_ -> "event-" + random.nextInt(3))
                .collect(Collectors.toSet());
    }

    private static List<Item> items(Random random, int n) {
        List<Item> items = new ArrayList<>();
        for (int size = 1 + random.nextInt(6), at = 0; at < size; at++) {
            String dedupe = random.nextInt(3) == 0 ? "d" + random.nextInt(4) : null;
            String key = random.nextInt(6) == 0 ? "k" + random.nextInt(6) : null;
            String body = "job " + n + "." + at;
            Member member = random.nextInt(3) == 0 ? new Member(random.nextInt(1 << 20), random.nextBoolean()) : null;
            if (random.nextBoolean()) {
                items.add(new Item(body, "g" + random.nextInt(3), Priority.NORMAL, 0, dedupe, key, member));
            } else {
                int delay = random.nextInt(4) == 0 ? 1 + random.nextInt(60) : 0;
                items.add(new Item(body, null, Priority.of(1 + random.nextInt(4)), delay, dedupe, key, member));
            }
        }
        return items;
    }
}
