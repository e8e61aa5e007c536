package dev.orderly.testkit.contract.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.BatchName;
import dev.orderly.job.JobEvent;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.job.NodeId;
import dev.orderly.job.Payload;
import dev.orderly.job.Priority;
import dev.orderly.job.PushResult;
import dev.orderly.job.QueueName;
import dev.orderly.job.QueueView;
import dev.orderly.job.store.AttemptId;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.JobViews;
import dev.orderly.job.store.Settlement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The same jobs in two stores: numbers for their ids, and a comparison of their views. */
final class JobTwins {
    private final List<JobId> subject = new ArrayList<>();
    private final List<JobId> model = new ArrayList<>();
    private final Map<JobId, Integer> numbers = new HashMap<>();

    /** Gives a job the next number. */
    void add(JobId ofSubject, JobId ofModel) {
        numbers.put(ofSubject, subject.size());
        numbers.put(ofModel, subject.size());
        subject.add(ofSubject);
        model.add(ofModel);
    }

    /** Compares the answers to a push; returns what was accepted, with numbers from now on. */
    List<RandomJobStep.Item> pushed(List<RandomJobStep.Item> items, List<PushResult> ofSubject,
            List<PushResult> ofModel) {
        List<RandomJobStep.Item> accepted = new ArrayList<>();
        assertThat(ofSubject).as("answers to a push").hasSameSizeAs(ofModel);
        for (int n = 0; n < items.size(); n++) {
            assertThat(ofSubject.get(n)).as("answer to %s", items.get(n)).hasSameClassAs(ofModel.get(n));
            if (ofModel.get(n) instanceof PushResult.Accepted) {
                add(ofSubject.get(n).id(), ofModel.get(n).id());
                accepted.add(items.get(n));
            } else {
                assertThat(number(ofSubject.get(n).id())).as("first job of %s", items.get(n))
                        .isEqualTo(number(ofModel.get(n).id()));
            }
        }
        return accepted;
    }

    int size() {
        return subject.size();
    }

    JobId ofSubject(int number) {
        return subject.get(number);
    }

    JobId ofModel(int number) {
        return model.get(number);
    }

    int number(JobId id) {
        return Objects.requireNonNull(numbers.get(id), () -> "Job " + id + " was never accepted");
    }

    List<Integer> numbers(Collection<JobId> ids) {
        return ids.stream().map(this::number).sorted().toList();
    }

    /** Jobs by group; a standard job is a group of its own. */
    Map<String, List<ClaimedJob>> runs(List<ClaimedJob> jobs) {
        Map<String, List<ClaimedJob>> runs = new LinkedHashMap<>();
        for (ClaimedJob job : jobs) {
            String name = job.group() == null ? "job " + number(job.id()) : job.group();
            runs.computeIfAbsent(name, key -> new ArrayList<>()).add(job);
        }
        return runs;
    }

    void compare(JobViews subject, JobViews model, Instant now) {
        for (QueueName queue : List.of(JobDraft.MAIL, JobDraft.ORDERS)) {
            assertThat(jobs(subject, queue, now)).as("jobs of %s", queue)
                    .containsExactlyInAnyOrderElementsOf(jobs(model, queue, now));
            for (JobState state : List.of(JobState.RUNNING, JobState.DEAD, JobState.DONE, JobState.CANCELLED)) {
                assertThat(order(subject, queue, state)).as("%s jobs of %s, as listed", state, queue)
                        .isEqualTo(order(model, queue, state));
            }
        }
        assertThat(counts(subject)).as("counts").isEqualTo(counts(model));
    }

    /** The queues that are not as one into which a push was refused. */
    private static List<ComparedQueue> counts(JobViews views) {
        return views.queues().stream().map(ComparedQueue::of).filter(queue -> !queue.equals(ComparedQueue.empty(queue)))
                .toList();
    }

    private List<ComparedJob> jobs(JobViews views, QueueName queue, Instant now) {
        List<ComparedJob> seen = new ArrayList<>();
        for (JobState state : JobState.values()) {
            views.list(queue, state, null, 1_000).forEach(view -> seen.add(seen(view, now)));
        }
        return seen;
    }

    private List<Integer> order(JobViews views, QueueName queue, JobState state) {
        return views.list(queue, state, null, 1_000).stream().map(view -> number(view.id())).toList();
    }

    private ComparedJob seen(JobView view, Instant now) {
        Instant due = view.dueAt();
        boolean overdue = view.state() == JobState.DELAYED && due != null && !due.isAfter(now);
        return new ComparedJob(number(view.id()), view.priority(), overdue ? JobState.WAITING : view.state(),
                view.failures(),
                overdue ? null : due, view.endedAt(), view.payload(), view.result(), view.failure() != null,
                view.reason() != null,
                view.leasedUntil(), view.terms().batch() == null ? null : view.terms().batch().name());
    }

    /** Compares the steps and events of some jobs. */
    void compareKept(Set<Integer> jobs, JobViews ofSubject, JobViews ofModel, Instant now) {
        for (int number : jobs) {
            assertThat(steps(ofSubject, subject.get(number))).as("steps of job %s", number)
                    .isEqualTo(steps(ofModel, model.get(number)));
            assertThat(events(ofSubject, subject.get(number), now)).as("events of job %s", number)
                    .isEqualTo(events(ofModel, model.get(number), now));
        }
    }

    private static List<ComparedStep> steps(JobViews views, JobId job) {
        return views.steps(job).stream().map(step -> new ComparedStep(step.name(), step.keptAt(), step.value()))
                .toList();
    }

    private static List<ComparedEvent> events(JobViews views, JobId job, Instant now) {
        Optional<JobView> awaiting = views.find(job).filter(view -> view.dueAt() != null && view.dueAt().isAfter(now));
        return views.events(job).stream()
                .map(event -> ComparedEvent.of(event, awaiting.filter(event::isAwaitedBy).isPresent())).toList();
    }

    /** The compared part of a job. A due job may be shown as delayed until the next claim. */
    private record ComparedJob(int number, Priority priority, JobState state, int failures, @Nullable Instant dueAt,
            @Nullable Instant endedAt,
            @Nullable Payload payload, @Nullable Payload result, boolean failed, boolean reasoned,
            @Nullable Instant leasedUntil, @Nullable BatchName batch) {}

    /** The compared part of a step. */
    private record ComparedStep(String name, Instant keptAt, @Nullable Payload value) {}

    /**
     * The compared part of an event.
     *
     * @param holds whether a job that is not due awaits it
     */
    record ComparedEvent(String name, @Nullable Instant until, boolean over, JobEvent.@Nullable Arrival arrival,
            boolean holds) {
        static ComparedEvent of(JobEvent event, boolean holds) {
            JobEvent.Awaited awaited = event.awaited();
            return new ComparedEvent(event.name(), awaited == null ? null : awaited.until(),
                    awaited != null && awaited.over(), event.arrival(), holds);
        }
    }

    /** The compared counts of a queue. */
    private record ComparedQueue(QueueName queue, boolean paused, long unsettled, long running, long leased, long dead,
            long done,
            long halted) {
        static ComparedQueue empty(ComparedQueue other) {
            return new ComparedQueue(other.queue, false, 0, 0, 0, 0, 0, 0);
        }

        static ComparedQueue of(QueueView view) {
            return new ComparedQueue(view.queue(), view.paused(), view.waiting() + view.delayed(), view.running(),
                    view.leased(), view.dead(), view.done(), view.halted());
        }
    }

    /** The jobs that one handler of a node holds in a random run: a single job, or some jobs of one group. */
    record GroupRun(Member member, Deque<Held> jobs) {
        /** The report of the node that gives back all of them, to one of both stores. */
        Stream<Settlement> givenBack(Function<Held, AttemptId> attempt) {
            return jobs.stream()
                    .map(job -> new Settlement(member.id, attempt.apply(job), new AttemptOutcome.GiveBack()));
        }

        /** Whether the same node holds the same job again, so that only the attempt number fences. */
        boolean repeats(Settlement past) {
            return member.id.equals(past.node())
                    && jobs.stream().anyMatch(job -> job.subject().id().equals(past.attempt().id()));
        }

        /** A node of the run, in both stores. */
        static final class Member {
            final NodeId id;
            Instant lastBeat = Instant.MIN;
            boolean dead;

            Member(NodeId id) {
                this.id = id;
            }
        }

        /** A job by its number in push order, with its attempt in each store. */
        record Held(int number, AttemptId subject, AttemptId model) {}
    }
}
