package dev.orderly.testkit.jobsim;

import dev.orderly.Store;
import dev.orderly.job.Batch;
import dev.orderly.job.CancelResult;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.job.LimitName;
import dev.orderly.job.Push;
import dev.orderly.job.QueueName;
import dev.orderly.job.settings.KeySettings;
import dev.orderly.schedule.ScheduleName;
import dev.orderly.store.StoreException;
import dev.orderly.testkit.MemoryStore;
import dev.orderly.testkit.jobsim.Step.Action;
import dev.orderly.testkit.resilience.HeldGroups;
import dev.orderly.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One run: steps at their moments on some nodes, then peace, in which everything must end, and at last a meeting, in
 * which every handler must be free.
 */
public final class JobSimulation {
    private static final int STEPS = 120;
    private static final int SPAN = 60_000;
    private static final int SLOTS = 3;
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    /** Every node obeys an operator within this time, and the starts before it count for no rate any more. */
    private static final long CONVERGED = 10 * SECOND;
    private static final int TRIES = 8;
    /** Numbers of callbacks in the numbers of their group. */
    private static final int CALLBACKS = 50_000;
    /** The number of batches, the newest, of which clients and operators choose. */
    private static final int NEWEST = 3;
    private static final List<String> GROUPS = List.of("g0", "g1", "g2");

    final Turns turns;
    final JobReferee referee;
    final SimulatedBus bus;
    private final HeldGroups store;
    private final Consumer<Step.DiskRoom> disk;
    private final OutsideWorkers workers;
    private final BatchClients batches;
    private final long seed;
    private final @Nullable SimulatedNode[] slots = new SimulatedNode[SLOTS];
    private final int[] lives = new int[SLOTS];
    private boolean peace;

    private JobSimulation(long seed, Function<Time, Store> stores, Consumer<Step.DiskRoom> disk) {
        this.seed = seed;
        this.disk = disk;
        this.turns = new Turns(seed);
        this.referee = new JobReferee(turns, SimulatedQueues.random(seed));
        this.bus = new SimulatedBus(turns);
        this.store = new HeldGroups(stores.apply(new SimulatedTime(turns, Runnable::run)));
        this.batches = new BatchClients(referee);
        this.workers = new OutsideWorkers(turns, referee, this::anyWorking);
    }

    /** What a run came to. */
    public record Result(String trace, Set<Long> states, long jobs) {}

    /** The steps of a seed. */
    public static List<Step> steps(long seed) {
        return Step.random(seed, STEPS, SPAN, SLOTS);
    }

    /** The steps of a seed for a store on a disk, which is full at times. */
    public static List<Step> stepsOnDisk(long seed) {
        return Step.withFullDisk(steps(seed), SPAN);
    }

    /** Steps of a seed in which workers elsewhere ask for jobs, and answers of the store are lost. */
    public static List<Step> pulls(long seed) {
        return Step.around(seed, SimulatedQueues.PULLED.getFirst(), Step.PULL, Step.CUT, Step.LOSE_ANSWER);
    }

    /** Steps of a seed in which an operator pauses a queue with many short jobs. */
    public static List<Step> pauses(long seed) {
        return Step.around(seed, SimulatedQueues.PLAIN, Step.PAUSE);
    }

    /**
     * Runs some steps.
     *
     * @param steps with one seed
     * @throws BrokenJobPromise if a promise is broken
     */
    public static Result run(List<Step> steps) {
        return run(steps, MemoryStore::new, _ -> {});
    }

    /**
     * As {@link #run(List)}, on another store.
     *
     * @param disk fills and frees its disk
     */
    public static Result run(List<Step> steps, Function<Time, Store> stores, Consumer<Step.DiskRoom> disk) {
        if (steps.isEmpty()) {
            return new Result("", Set.of(), 0);
        }
        return new JobSimulation(steps.getFirst().seed(), stores, disk).runAll(steps);
    }

    private Result runAll(List<Step> steps) {
        int used = 1 + steps.stream().mapToInt(Step::slot).max().orElse(0);
        for (int slot = 0; slot < used; slot++) {
            begin(slot);
        }
        for (Step step : steps) {
            turns.at(TimeUnit.MILLISECONDS.toNanos(step.at()), () -> take(step));
        }
        turns.run(referee::isBroken, (SPAN + 1_000L) * 1_000_000);
        judged(this::heal);
        long end = turns.now() + referee.patience().toNanos();
        while (!referee.isBroken() && turns.now() < end && !(allWork(used) && allEnded())) {
            pullRest();
            turns.run(referee::isBroken, turns.now() + SECOND);
        }
        judged(() -> referee.ended(store.jobViews()::find));
        judged(() -> referee.batches.ended(allJobs(), store.jobs().batches()::find));
        judged(() -> referee.schedule.ended(runs()));
        judged(this::resetLimit);
        judged(() -> meet(used));
        turns.run(() -> referee.isBroken() || referee.haveMet(), turns.now() + 70 * SECOND);
        judged(referee::parted);
        judged(() -> new LimitTrial(this, working()).run());
        return new Result(turns.trace(), new HashSet<>(referee.states()), referee.known().size());
    }

    private void judged(Runnable next) {
        referee.judge();
        next.run();
        referee.judge();
    }

    private void begin(int slot) {
        SimulatedNode node = new SimulatedNode("n" + slot + "-" + ++lives[slot], turns, referee, store, bus);
        slots[slot] = node;
        Duration grace = Duration.ofSeconds(Math.floorMod(seed + slot, 4) * 3L);
        node.start("main", () -> node.open(seed * 31 + slot, grace, true));
    }

    private void beginLater(int slot, int millis) {
        turns.in(millis * 1_000_000L, () -> begin(slot));
    }

    /** Whether each process has started that was to come back after a stop or a death. */
    private boolean allWork(int used) {
        return IntStream.range(0, used).allMatch(slot -> {
            SimulatedNode node = slots[slot];
            return node != null && node.isWorking();
        });
    }

    private boolean allEnded() {
        return redriveRest() && batchesHaveEnded() && referee.known().stream().allMatch(id -> store.jobViews().find(id)
                .filter(job -> job.state().isEnd()).isPresent());
    }

    private boolean batchesHaveEnded() {
        return referee.batches.haveEnded(store.jobs().batches()::find, store.jobViews()::find);
    }

    /** Every job of the queues. */
    private List<JobView> allJobs() {
        List<JobView> all = new ArrayList<>();
        for (String queue : SimulatedQueues.NAMES) {
            for (JobState state : JobState.values()) {
                List<JobView> page;
                JobId after = null;
                do {
                    page = store.jobViews().list(new QueueName(queue), state, after, 1_000);
                    all.addAll(page);
                    after = page.isEmpty() ? null : page.getLast().id();
                } while (page.size() == 1_000);
            }
        }
        return all;
    }

    /** Workers that stay ask each node for jobs. */
    private void pullRest() {
        for (int n = 0; n < 10; n++) {
            turns.in(n * SECOND / 10, () -> each(node -> {
                if (node.isWorking()) {
                    SimulatedQueues.PULLED.forEach(queue -> workers.pull(node, new Action.Pull(queue, 10, 10, 1)));
                }
            }));
        }
    }

    /** The jobs of the schedule. */
    private List<JobView> runs() {
        QueueName queue = new ScheduleName(SimulatedNode.SCHEDULE).queue();
        return Arrays.stream(JobState.values())
                .flatMap(state -> store.jobViews().list(queue, state, null, 1_000).stream()).toList();
    }

    private List<SimulatedNode> working() {
        List<SimulatedNode> working = new ArrayList<>();
        each(node -> {
            if (node.isWorking()) {
                working.add(node);
            }
        });
        return working;
    }

    private @Nullable SimulatedNode anyWorking(Turns by) {
        List<SimulatedNode> working = working();
        return working.isEmpty() ? null : working.get(by.random.nextInt(working.size()));
    }

    /** Redrives what is dead; whether nothing is. */
    private boolean redriveRest() {
        return SimulatedQueues.NAMES.stream().mapToInt(queue -> redrive(queue)).sum() == 0;
    }

    private int redrive(String queue) {
        int dead = store.jobs().redriveAll(new QueueName(queue), 1_000, new SimulatedTime(turns, Runnable::run).now());
        if (dead > 0) {
            referee.jobs.redriveAsked(queue);
        }
        return dead;
    }

    /** Ends every fault, and what operators have stopped. */
    private void heal() {
        peace = true;
        referee.healed();
        bus.losses(0);
        disk.accept(Step.DiskRoom.ALL);
        GROUPS.forEach(store::letGo);
        each(node -> {
            node.thaw();
            node.link.heal();
        });
        turns.run(referee::isBroken, turns.now() + 20 * SECOND); // what is under way may end
        each(node -> {
            if (node.isWorking()) {
                node.start("heal", () -> {
                    drain(node, false);
                    SimulatedQueues.HANDLED.forEach(node::attach);
                });
            }
        });
        SimulatedQueues.NAMES.forEach(queue -> {
            referee.pauses.asked(queue, false);
            store.jobs().pause(new QueueName(queue), false);
            GROUPS.forEach(group -> resumeKey(queue, SimulatedQueues.keyOrGroup(queue, group)));
        });
        redriveRest();
        SimulatedNode node = anyWorking(turns);
        if (node != null) {
            node.start("heal", () -> batches.closeRest(node));
            turns.run(referee::isBroken, turns.now() + SECOND);
        }
    }

    private void resumeKey(String queue, @Nullable String key) {
        if (key != null) {
            referee.pauses.asked(TrackedJob.subject(queue, key), false);
            store.jobViews().keys(new QueueName(queue), key, 1).forEach(view -> store.jobs()
                    .set(new QueueName(queue), key, view.settings(), KeySettings.NONE));
        }
    }

    private void each(Consumer<SimulatedNode> action) {
        for (SimulatedNode node : slots) {
            if (node != null) {
                action.accept(node);
            }
        }
    }

    /** Puts the declared limit in force again, on all nodes. */
    private void resetLimit() {
        SimulatedNode node = anyWorking(turns);
        if (node != null && queues().isLimited()) {
            node.start("operator", () -> changeLimit(node, 0));
            turns.run(referee::isBroken, turns.now() + CONVERGED);
            referee.limitReset();
        }
    }

    private void meet(int used) {
        Map<String, Integer> handlers = new HashMap<>();
        long working = IntStream.range(0, used).filter(slot -> {
            SimulatedNode node = slots[slot];
            return node != null && node.isWorking();
        }).count();
        boolean shares = false; // of the queues that share a limit one meets
        for (String queue : SimulatedQueues.HANDLED) {
            boolean sharing = queues().of(queue).limitName().isPresent();
            if (!sharing || !shares) {
                handlers.put(queue, queues().most(queue, (int) (queues().of(queue).concurrency() * working)));
            }
            shares |= sharing;
        }
        referee.meet(handlers);
        SimulatedNode node = Arrays.stream(slots).filter(each -> each != null && each.isWorking()).findFirst()
                .orElse(null);
        if (node == null) {
            referee.broken("No node works in the end", null);
            return;
        }
        handlers.forEach((queue, count) -> {
            for (int n = 0; n < count; n++) {
                int number = SimulatedQueues.MEETING + 100_000 * n + queue.hashCode() % 10_000;
                node.start("meet", () -> push(node, queue, new Work(Math.abs(number), 0, "m"), Step.Once.NOTHING));
            }
        });
    }

    // ---- steps

    private void take(Step step) {
        SimulatedNode node = slots[step.slot()];
        if (peace || node == null || node.state() == SimulatedNode.State.GONE) {
            return;
        }
        switch (step.action()) {
            case Action.Push push -> client(node, push);
            case Action.Cancel(int pick) -> operate(node, () -> referee.pick(pick).ifPresent(id -> {
                referee.cancelAsked(id);
                CancelResult result = node.orderly().jobs().cancel(id);
                referee.cancelled(node, id, result);
            }));
            case Action.Open open -> open(node, open);
            case Action.Close(int pick) -> batches(node, pick, number -> batches.close(node, number));
            case Action.CancelBatch(int pick) -> batches(node, pick, number -> batches.cancel(node, number));
            case Action.Event(int pick) ->
                operate(node, () -> referee.pickAwaiting(pick).ifPresent(id -> node.send(id, pick)));
            case Action.Pause(String queue, boolean on) -> operate(node,
                    () -> pause(node, queue, on, () -> node.orderly().jobs().pause(new QueueName(queue), on)));
            case Action.PauseKey(String queue, String group, boolean on) -> {
                String key = SimulatedQueues.keyOrGroup(queue, group);
                if (key != null) {
                    operate(node, () -> pause(node, TrackedJob.subject(queue, key), on, () -> node.orderly().jobs()
                            .setKey(new QueueName(queue), key, before -> before.withPaused(on), "an operator")));
                }
            }
            case Action.Redrive(String queue) -> operate(node, () -> {
                referee.jobs.redriveAsked(queue);
                node.orderly().jobs().redriveAll(new QueueName(queue), 100);
            });
            case Action.Drain(boolean on) -> operate(node, () -> drain(node, on));
            case Action.Handler(String queue, boolean attached) -> operate(node, () -> {
                if (attached) {
                    node.attach(queue);
                } else {
                    node.detach(queue);
                }
            });
            case Action.ChangeLimit(int concurrency) -> operate(node, () -> changeLimit(node, concurrency));
            case Action.Pull pull -> {
                if (node.isWorking()) {
                    workers.pull(node, pull);
                }
            }
            case Action.Hold hold -> hold(node, hold);
            case Step.Disturbance disturbance -> befall(node, step.slot(), disturbance);
        }
    }

    private void pause(SimulatedNode node, String what, boolean on, Runnable call) {
        int asked = referee.pauses.asked(what, on);
        try {
            call.run();
            referee.pauses.answered(node, what, on, asked);
            referee.state("pause " + on);
        } finally {
            referee.pauses.over(what, on);
        }
    }

    /** What befalls a node, its machine, and its way to the store and to the others. */
    private void befall(SimulatedNode node, int slot, Step.Disturbance disturbance) {
        long span = 1_000_000L;
        referee.disturbed(node, disturbance.millis());
        switch (disturbance) {
            case Step.Disturbance.Restart(int back) -> {
                if (node.isWorking() && !node.isFrozen()) {
                    node.start("stop", () -> {
                        node.stop();
                        beginLater(slot, back);
                    });
                }
            }
            case Step.Disturbance.Crash(int back) -> {
                if (node.state() != SimulatedNode.State.STOPPING) {
                    node.crash();
                    beginLater(slot, back);
                }
            }
            case Step.Disturbance.Freeze(int millis, boolean machine) -> {
                if (!node.isFrozen()) {
                    referee.disturbance(node, "is paused for " + millis + " ms" + (machine ? " with its machine" : ""));
                    node.freeze(machine);
                    turns.in(millis * span, node::thaw);
                }
            }
            case Step.Disturbance.Clock(int millis) -> {
                referee.disturbance(node, "its clock is set to " + millis + " ms ahead");
                node.time.set(Duration.ofMillis(millis));
            }
            case Step.Disturbance.Cut(Step.Way how, int millis) -> {
                referee.disturbance(node, "the store is " + how + " for " + millis + " ms");
                node.link.set(how);
                turns.in(millis * span, () -> node.link.set(Step.Way.WHOLE));
            }
            case Step.Disturbance.Faults(int percent, int millis) -> {
                node.link.faults(percent / 100.0);
                turns.in(millis * span, () -> node.link.faults(0));
            }
            case Step.Disturbance.Slow(int latency, int millis) -> {
                node.link.latency(latency * span);
                turns.in(millis * span, () -> node.link.latency(2 * span));
            }
            case Step.Disturbance.After(String call, Step.Disturbance then) -> node.link.afterNext(call, () -> {
                if (!peace && node.isWorking()) {
                    befall(node, slot, then);
                }
            });
            case Step.Disturbance.LoseAnswer(String call) -> {
                referee.disturbance(node, "the answer of its next " + call + " gets lost");
                node.link.loseNext(call);
            }
            case Step.Disturbance.Losses(int percent, int millis) -> {
                bus.losses(percent / 100.0);
                turns.in(millis * span, () -> bus.losses(0));
            }
            case Step.Disturbance.FullDisk(Step.DiskRoom room, int millis) -> {
                referee.storeDisturbed("the disk has room for " + room + " for " + millis + " ms", millis);
                disk.accept(room);
                turns.in(millis * span, () -> disk.accept(Step.DiskRoom.ALL));
            }
        }
    }

    private void hold(SimulatedNode node, Action.Hold hold) {
        referee.disturbance(null,
                "a transaction of a caller locks group " + hold.group() + " for " + hold.millis() + " ms");
        store.hold(hold.group());
        turns.in(hold.millis() * 1_000_000L, () -> {
            store.letGo(hold.group());
            if (hold.push() != null && !peace) {
                client(node, hold.push());
            }
        });
    }

    void drain(SimulatedNode node, boolean on) {
        if (!on) {
            referee.drained(node, false);
        }
        node.orderly().drain(node.id, on);
        if (on) {
            referee.drained(node, true);
        }
    }

    private void changeLimit(SimulatedNode node, int concurrency) {
        if (queues().shared().concurrency() > 0) {
            Integer most = concurrency == 0 ? null : concurrency;
            referee.limitAsked(concurrency);
            node.orderly().limitSettings().change(new LimitName(SimulatedQueues.SHARED),
                    before -> before.withConcurrency(most), "an operator");
        }
    }

    private SimulatedQueues queues() {
        return referee.queues;
    }

    private static void operate(SimulatedNode node, Runnable call) {
        if (node.isWorking()) {
            node.start("operator", () -> {
                try {
                    call.run();
                } catch (StoreException | IllegalStateException e) {
                    // the operator knows that nothing was done, or knows nothing
                }
            });
        }
    }

    private void client(SimulatedNode node, Action.Push push) {
        if (!node.isWorking()) {
            return;
        }
        node.start("client", () -> pushAll(node, push,
                push.batch() == 0 ? 0 : referee.batches.pick(push.batch(), NEWEST).orElse(0)));
    }

    /** @param batch whose members they are; 0 for none */
    private void pushAll(SimulatedNode node, Action.Push push, int batch) {
        for (int n = 0; n < push.count(); n++) {
            int number = numbersOf(push.group()) + push.number() + n;
            push(node, push.queue(), new Work(number, push.millis(), push.plan(), batch), push.once());
        }
    }

    /** The first number of the jobs of a group; its jobs also have one key, of the same name. */
    private static int numbersOf(String group) {
        return (group.charAt(1) - '0') * 100_000;
    }

    private void open(SimulatedNode node, Action.Open open) {
        if (!node.isWorking()) {
            return;
        }
        node.start("importer", () -> {
            Action.Push then = open.callback();
            Work callback = new Work(numbersOf(then.group()) + CALLBACKS + open.number(), then.millis(), then.plan());
            if (batches.open(node, open.number(), then.queue(), callback, open.waits())) {
                pushAll(node, open.members(), open.number());
                if (open.closes() && node.isWorking()) {
                    batches.close(node, open.number());
                }
            }
        });
    }

    private void batches(SimulatedNode node, int pick, IntConsumer call) {
        operate(node, () -> referee.batches.pick(pick, NEWEST).ifPresent(call::accept));
    }

    /** Pushes a job, again where that is safe. */
    void push(SimulatedNode node, String queue, Work work, Step.Once once) {
        String group = SimulatedQueues.group(queue, work);
        String dedupe = once == Step.Once.DEDUPE ? "d" + work.number() : null;
        String unique = once == Step.Once.UNIQUE ? "u" + work.number() / 100_000 : null;
        referee.jobs.sending(work);
        for (int tries = 0; tries < TRIES && node.isWorking(); tries++) {
            JobId before = group == null ? null : referee.groups.newest(queue, group);
            try {
                Batch batch = work.isMember() ? BatchClients.on(node, referee.batches.link(work.batch())) : null;
                Push.Answer answer = node.push(queue, work, dedupe, unique, batch);
                if (batch != null && answer instanceof Push.Answer.Refused) {
                    referee.batches.refused(node, work, null);
                    return;
                }
                JobId id = switch (answer) {
                    case Push.Answer.Accepted accepted -> accepted.id();
                    case Push.Answer.Duplicate duplicate -> duplicate.of();
                    case Push.Answer.Replaced replaced -> replaced.of();
                    case Push.Answer.Refused refused -> throw new IllegalStateException(refused.toString());
                };
                boolean same = answer instanceof Push.Answer.Duplicate;
                if (same && unique != null) {
                    referee.joined(node, id, queue, work);
                    return;
                }
                referee.pushed(node, id, queue, work, before, same);
                if (batch != null && !same) {
                    referee.batches.pushed(referee.jobs.get(id), null);
                }
                return;
            } catch (StoreException.OutcomeUnknown e) {
                if (dedupe == null && group == null) {
                    return; // again would be twice
                }
            } catch (StoreException.Unavailable e) {
                // nothing was done
            } catch (IllegalStateException e) {
                return; // the node stops
            }
            node.pause(1_000, true);
        }
    }
}
