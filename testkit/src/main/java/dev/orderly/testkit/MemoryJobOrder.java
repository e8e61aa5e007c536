package dev.orderly.testkit;

import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.Priority;
import dev.orderly.job.store.JobStore;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The order of the waiting jobs of a queue. Gets every change of a job's state; holds only unsettled jobs. */
sealed interface MemoryJobOrder {
    void enter(MemoryJob job);

    void leave(MemoryJob job);

    /**
     * The runs to hand out next, at most {@code limit}; a run is handed out to one node in its order. None has a job
     * that is passed over.
     */
    List<List<MemoryJob>> next(int limit, Set<JobId> passedOver);

    /** Whether {@link #next} would hand out any job. */
    boolean hasNext();

    /** Whether the job would be handed out first, as a run of its own. */
    boolean isNext(MemoryJob job);

    /** Stops or resumes a group. */
    void pause(String group, boolean paused);

    /** Number of groups that stopped at a dead letter. */
    long halted();

    /** The first job of the group that a node holds; null on a standard queue and if there is none. */
    @Nullable
    MemoryJob firstHeld(@Nullable String group);

    /** Priorities by turns, each in push order. */
    final class Standard implements MemoryJobOrder {
        private final Map<Priority, TreeMap<JobId, MemoryJob>> waiting = new EnumMap<>(Priority.class);
        private long turn;

        Standard() {
            for (Priority priority : Priority.values()) {
                waiting.put(priority, new TreeMap<>());
            }
        }

        @Override
        public void enter(MemoryJob job) {
            if (job.state == JobState.WAITING) {
                of(job.pushed.priority()).put(job.id, job);
            }
        }

        @Override
        public void leave(MemoryJob job) {
            of(job.pushed.priority()).remove(job.id);
        }

        @Override
        public List<List<MemoryJob>> next(int limit, Set<JobId> passedOver) {
            Map<Priority, Iterator<MemoryJob>> heads = new EnumMap<>(Priority.class);
            waiting.forEach((priority, jobs) -> heads.put(priority, jobs.values().stream()
                    .filter(job -> !passedOver.contains(job.id)).iterator()));
            List<List<MemoryJob>> runs = new ArrayList<>();
            while (runs.size() < limit && heads.values().stream().anyMatch(Iterator::hasNext)) {
                Iterator<MemoryJob> head = Objects.requireNonNull(heads.get(Priority.turn(turn++)));
                if (head.hasNext()) {
                    runs.add(List.of(head.next()));
                }
            }
            return runs;
        }

        @Override
        public boolean hasNext() {
            return waiting.values().stream().anyMatch(jobs -> !jobs.isEmpty());
        }

        @Override
        public boolean isNext(MemoryJob job) {
            return job.state == JobState.WAITING;
        }

        @Override
        public void pause(String group, boolean paused) {
            throw new IllegalStateException("A standard queue has no group " + group);
        }

        @Override
        public long halted() {
            return 0;
        }

        @Override
        public @Nullable MemoryJob firstHeld(@Nullable String group) {
            return null;
        }

        private Map<JobId, MemoryJob> of(Priority priority) {
            return Objects.requireNonNull(waiting.get(priority));
        }
    }

    /** Groups by turns, each strictly in push order. */
    final class Fifo implements MemoryJobOrder {
        private final Map<String, Group> groups = new HashMap<>();
        private final LinkedHashSet<Group> ready = new LinkedHashSet<>();
        private final Set<String> paused = new HashSet<>();
        private final Predicate<MemoryJob> mayStart;

        /** @param mayStart whether the rate of a group lets its next job start */
        Fifo(Predicate<MemoryJob> mayStart) {
            this.mayStart = mayStart;
        }

        @Override
        public void enter(MemoryJob job) {
            Group group = groups.computeIfAbsent(nameOf(job), _ -> new Group());
            group.count(job, 1);
            if (job.unsettled()) {
                group.unsettled.put(job.id, job);
            }
            update(group, nameOf(job));
        }

        @Override
        public void leave(MemoryJob job) {
            // A group with only settled jobs has no entry.
            Group group = groups.get(nameOf(job));
            if (group != null) {
                group.count(job, -1);
                group.unsettled.remove(job.id);
            }
        }

        /** A group that becomes ready queues up behind the ready ones; a group that stays ready keeps its turn. */
        private void update(Group group, String name) {
            if (group.isReady() && !paused.contains(name)) {
                ready.add(group);
            } else {
                ready.remove(group);
            }
            if (group.jobs == 0) {
                groups.remove(name);
            }
        }

        @Override
        public void pause(String name, boolean value) {
            boolean changed = value ? paused.add(name) : paused.remove(name);
            Group group = groups.get(name);
            if (changed && group != null) {
                update(group, name);
            }
        }

        @Override
        public List<List<MemoryJob>> next(int limit, Set<JobId> passedOver) {
            return ready.stream().filter(group -> mayStart.test(group.first()))
                    .map(group -> group.run().stream().takeWhile(job -> !passedOver.contains(job.id)).toList())
                    .filter(run -> !run.isEmpty()).limit(limit).toList();
        }

        /** The next job of each group that waits for its turn. */
        Stream<MemoryJob> ready() {
            return ready.stream().map(Group::first);
        }

        @Override
        public boolean hasNext() {
            return !ready.isEmpty();
        }

        @Override
        public boolean isNext(MemoryJob job) {
            return ready.stream().findFirst().map(Group::run).equals(Optional.of(List.of(job)));
        }

        @Override
        public long halted() {
            return groups.values().stream().filter(group -> group.halting > 0).count();
        }

        @Override
        public @Nullable MemoryJob firstHeld(@Nullable String name) {
            Group group = groups.get(name);
            return group == null
                    ? null
                    : group.unsettled.values().stream().filter(job -> job.state == JobState.RUNNING).findFirst()
                            .orElse(null);
        }

        private static String nameOf(MemoryJob job) {
            return Objects.requireNonNull(job.pushed.group());
        }
    }

    /** The unsettled jobs of a group, in push order. */
    final class Group {
        private final TreeMap<JobId, MemoryJob> unsettled = new TreeMap<>();
        private int jobs;
        private int held;
        private int halting;

        private void count(MemoryJob job, int step) {
            jobs += job.unsettled() || job.halts ? step : 0;
            held += job.state == JobState.RUNNING ? step : 0;
            halting += job.halts ? step : 0;
        }

        private boolean isReady() {
            return held == 0 && halting == 0 && !unsettled.isEmpty()
                    && first().state == JobState.WAITING;
        }

        private MemoryJob first() {
            return unsettled.firstEntry().getValue();
        }

        private List<MemoryJob> run() {
            return unsettled.values().stream().takeWhile(job -> job.state == JobState.WAITING)
                    .limit(JobStore.GROUP_RUN).toList();
        }
    }
}
