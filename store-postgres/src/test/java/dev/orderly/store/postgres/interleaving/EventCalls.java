package dev.orderly.store.postgres.interleaving;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.EventResult;
import dev.orderly.job.JobEvent;
import dev.orderly.job.JobId;
import dev.orderly.job.JobStep;
import dev.orderly.job.Payload;
import dev.orderly.job.store.AttemptId;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.AwaitAnswer;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.EventWait;
import dev.orderly.job.store.JobStore.StepResult;
import dev.orderly.job.store.NewEvent;
import dev.orderly.job.store.StepReport;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Calls about events and steps, held against what senders and attempts were told before. The first event of a job
 * counts, and none is lost; an attempt that is over adds nothing. Thread-safe.
 */
final class EventCalls {
    /** The event of each job. */
    private static final String NAME = "go";
    /** Ends within a run. */
    private static final Duration SHORT = Duration.ofSeconds(3);
    /** Ends after a run: only the event starts the job again. */
    private static final Duration LONG = Duration.ofHours(1);

    private final Cluster cluster;
    private final Ledger ledger;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<JobId, Seen> jobs = new HashMap<>();
    private int sent;

    private static final class Seen {
        @Nullable
        String accepted;
        /** The moment of the answer that has accepted it. */
        long acceptedAt = Long.MAX_VALUE;
        /** The moment of the answer that the wait is over. */
        long overAt = Long.MAX_VALUE;
        final Set<String> sent = new HashSet<>();
        /** Names and attempts of the steps that are kept. */
        final Map<String, Integer> steps = new HashMap<>();
        /** The steps that the newest attempt has found at its begin. */
        Set<String> found = Set.of();
        /** The number of the newest attempt. */
        int newest;
    }

    EventCalls(Cluster cluster, Ledger ledger) {
        this.cluster = cluster;
        this.ledger = ledger;
    }

    private Seen seen(JobId id) {
        return jobs.computeIfAbsent(id, _ -> new Seen());
    }

    /** A node has these attempts: each knows all steps that earlier ones have kept, and will ever have. */
    void claimed(List<ClaimedJob> claimed) {
        for (ClaimedJob job : claimed) {
            Set<String> kept = cluster.stores().getFirst().jobViews().steps(job.id()).stream().map(JobStep::name)
                    .collect(Collectors.toSet());
            lock.lock();
            try {
                Seen seen = seen(job.id());
                seen.found = kept;
                seen.newest = job.attempt().number();
                assertThat(kept).as("steps that %s knows", job.attempt()).containsAll(seen.steps.keySet());
            } finally {
                lock.unlock();
            }
        }
    }

    /** Sends a job an event. */
    void send(int node, JobId id, long began) {
        String value;
        lock.lock();
        try {
            value = "\"event " + ++sent + "\"";
            seen(id).sent.add(value);
        } finally {
            lock.unlock();
        }
        EventResult result = cluster.jobs(node).event(new NewEvent(id, NAME, null, Payload.json(value)), cluster.now());
        long moment = ledger.note("event " + value + " for " + id.sequence() + " is " + result);
        lock.lock();
        try {
            Seen seen = seen(id);
            switch (result) {
                case ACCEPTED -> {
                    assertThat(seen.accepted).as("first event of %s beside %s", id, value).isNull();
                    assertThat(seen.overAt).as("end of the wait of %s, which accepts an event", id)
                            .isGreaterThan(began);
                    assertThat(ledger.isEnded(id, began)).as("%s accepts an event after its end", id).isFalse();
                    seen.accepted = value;
                    seen.acceptedAt = moment;
                }
                case REPEATED -> assertThat(seen.sent).as("events of %s, which has one", id).hasSizeGreaterThan(1);
                case LATE, ENDED -> {
                }
                case UNKNOWN, FULL -> throw new AssertionError("Event for " + id + " is answered " + result);
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Asks for the event of an attempt that runs.
     *
     * @return the outcome of the attempt, if the wait goes on
     */
    Optional<AttemptOutcome> ask(int node, AttemptId attempt, int pick, long began) {
        Instant until = cluster.now().plus(pick % 2 == 0 ? SHORT : LONG);
        AwaitAnswer answer = cluster.jobs(node).await(new EventWait(Cluster.id(node), attempt, NAME, until),
                cluster.now());
        long moment = ledger.note("await of " + attempt.id().sequence() + " is " + answer);
        if (!(answer instanceof AwaitAnswer.Known(JobEvent event))) {
            assertThat(answer).as("answer to the attempt %s", attempt)
                    .isIn(ledger.heldBy(node).contains(attempt)
                            ? List.of(AwaitAnswer.Refused.BLOCKED)
                            : List.of(AwaitAnswer.Refused.BLOCKED, AwaitAnswer.Refused.LEASE_LOST));
            return Optional.empty();
        }
        lock.lock();
        try {
            Seen seen = seen(attempt.id());
            JobEvent.Arrival arrival = event.arrival();
            if (arrival != null) {
                assertThat(seen.sent).as("events sent to %s", attempt.id()).contains(arrival.value().asText());
                assertThat(seen.accepted).as("event of %s", attempt.id()).isIn(null, arrival.value().asText());
                assertThat(seen.overAt).as("end of the wait of %s, which has an event", attempt.id())
                        .isGreaterThan(began);
                return Optional.empty();
            }
            assertThat(seen.acceptedAt).as("moment of the event that %s is not told of", attempt.id())
                    .isGreaterThan(began);
            JobEvent.Awaited awaited = Objects.requireNonNull(event.awaited());
            if (awaited.over()) {
                seen.overAt = Math.min(seen.overAt, moment);
                return Optional.empty();
            }
            return Optional.of(new AttemptOutcome.Awaiting(Set.of(NAME), awaited.until()));
        } finally {
            lock.unlock();
        }
    }

    /** Keeps a step of an attempt that runs. */
    void keep(int node, AttemptId attempt, int pick) {
        String name = "s" + pick % 2;
        StepResult result = keep(node, attempt, name);
        lock.lock();
        try {
            Integer before = seen(attempt.id()).steps.get(name);
            switch (result) {
                case KEPT -> {
                    Seen seen = seen(attempt.id());
                    assertThat(seen.steps.put(name, attempt.number()))
                            .as("attempt that has kept %s of %s before", name, attempt).isIn(null, attempt.number());
                    assertThat(seen.newest == attempt.number() || seen.found.contains(name))
                            .as("%s of %s is kept, which attempt %s has not found", name, attempt, seen.newest)
                            .isTrue();
                }
                case TAKEN -> assertThat(before).as("attempt that has kept %s of %s before", name, attempt)
                        .isNotNull().isNotEqualTo(attempt.number());
                case BLOCKED -> {
                }
                case LEASE_LOST -> assertThat(ledger.heldBy(node)).as("attempts of the node whose step is refused")
                        .doesNotContain(attempt);
                case FULL -> throw new AssertionError("Step of the running " + attempt + " is " + result);
            }
        } finally {
            lock.unlock();
        }
    }

    private StepResult keep(int node, AttemptId attempt, String name) {
        StepResult result = cluster.jobs(node).keep(new StepReport(Cluster.id(node), attempt, name,
                Payload.json(String.valueOf(attempt.number()))), cluster.now());
        ledger.note("step " + name + " of " + attempt.id().sequence() + " is " + result);
        return result;
    }

    /** An attempt that is over keeps a step and asks for its event, in vain. */
    void stale(int node, AttemptId attempt) {
        assertThat(keep(node, attempt, "stale")).as("step of %s, which is over", attempt)
                .isIn(StepResult.LEASE_LOST, StepResult.BLOCKED);
        AwaitAnswer answer = cluster.jobs(node).await(new EventWait(Cluster.id(node), attempt, "stale",
                cluster.now().plus(LONG)), cluster.now());
        assertThat(answer).as("question of %s, which is over", attempt)
                .isIn(AwaitAnswer.Refused.LEASE_LOST, AwaitAnswer.Refused.BLOCKED);
    }

    /** Judges what is kept with each job. */
    void ended() {
        for (JobId id : ledger.all()) {
            Map<String, Integer> kept = new HashMap<>();
            for (JobStep step : cluster.stores().getFirst().jobViews().steps(id)) {
                kept.put(step.name(), step.attempt());
            }
            assertThat(kept).as("steps of %s", id).isEqualTo(seen(id).steps);
            for (JobEvent event : cluster.stores().getFirst().jobViews().events(id)) {
                assertThat(event.name()).isEqualTo(NAME);
                assertThat(event.arrival() == null ? null : event.arrival().value().asText()).as("event of %s", id)
                        .isEqualTo(seen(id).accepted);
            }
        }
    }
}
