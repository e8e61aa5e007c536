package dev.orderly.testkit.jobsim;

import dev.orderly.job.JobId;
import dev.orderly.job.JobView;
import dev.orderly.schedule.ScheduledRun;
import dev.orderly.schedule.Timing;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;

/** Judges the schedule: an instant has one job, in time while a node that declares it works undisturbed. */
final class ScheduleReferee {
    /** A scheduled job is pushed within this time of its instant. */
    private static final Duration PUSHED = Duration.ofSeconds(2);
    /** The end of a run is noticed within this time, and until then its schedule skips instants. */
    private static final Duration NOTICED = Duration.ofSeconds(3);

    private final Turns turns;
    private final RunTimeline timeline;
    private final Map<Instant, JobId> instants = new TreeMap<>();
    private final Map<SimulatedNode, Peace> nodes = new HashMap<>();
    private final List<Calm> calms = new ArrayList<>();
    private long storeTroubledUntil;

    /** A span in which a node works and nothing befalls it: it fires the instants of its schedules. */
    private record Calm(SimulatedNode node, long from, long to) {}

    private static final class Peace {
        long troubledUntil;
        long calmFrom = Long.MAX_VALUE;
    }

    ScheduleReferee(Turns turns, RunTimeline timeline) {
        this.turns = turns;
        this.timeline = timeline;
    }

    private Peace peace(SimulatedNode node) {
        return nodes.computeIfAbsent(node, _ -> new Peace());
    }

    void working(SimulatedNode node) {
        Peace peace = peace(node);
        peace.calmFrom = Math.max(turns.now(), Math.max(peace.troubledUntil, storeTroubledUntil)) + JobReferee.CALM;
    }

    /** Something befalls the store, and is over after this time. */
    void storeDisturbed(int millis) {
        storeTroubledUntil = Math.max(storeTroubledUntil, turns.now() + millis * 1_000_000L);
        nodes.keySet().forEach(node -> disturbed(node, millis));
    }

    /** Something befalls a node, and is over after this time. */
    void disturbed(SimulatedNode node, int millis) {
        Peace peace = peace(node);
        if (turns.now() > peace.calmFrom) {
            calms.add(new Calm(node, peace.calmFrom, turns.now()));
        }
        peace.troubledUntil = Math.max(peace.troubledUntil, turns.now() + millis * 1_000_000L);
        peace.calmFrom = Math.max(peace.calmFrom, peace.troubledUntil + JobReferee.CALM);
    }

    /** A node is no more. */
    void gone(SimulatedNode node) {
        nodes.remove(node);
    }

    void fired(SimulatedNode node, Instant instant, JobId id) {
        timeline.note(node, SimulatedNode.SCHEDULE, "instant " + instant);
        JobId before = instants.putIfAbsent(instant, id);
        if (before != null && !before.equals(id)) {
            timeline.broken("Instant " + instant + " of the schedule has two jobs: " + before + " and " + id,
                    (Throwable) null);
        }
    }

    /** Judges all jobs of the schedule. */
    void ended(List<JobView> runs) {
        List.copyOf(nodes.keySet()).forEach(node -> disturbed(node, 0));
        TreeMap<Instant, JobView> byInstant = new TreeMap<>();
        for (JobView run : runs) {
            Instant instant = Instant.parse(Objects.requireNonNull(run.params().get(ScheduledRun.INSTANT)));
            if (byInstant.put(instant, run) != null) {
                timeline.broken("Instant " + instant + " of the schedule has two jobs", (Throwable) null);
            }
        }
        Timing timing = Timing.every(SimulatedNode.EVERY);
        for (Calm calm : calms) {
            Instant last = SimulatedTime.START.plusNanos(calm.to).minus(PUSHED);
            for (Instant instant = timing.next(SimulatedTime.START.plusNanos(calm.from)).orElseThrow(); instant
                    .isBefore(last); instant = timing.next(instant).orElseThrow()) {
                inTime(calm.node, instant, byInstant);
            }
        }
    }

    private void inTime(SimulatedNode node, Instant instant, NavigableMap<Instant, JobView> runs) {
        JobView run = runs.get(instant);
        boolean late = run != null && run.id().pushedAt().isAfter(instant.plus(PUSHED));
        boolean free = runs.headMap(instant).values().stream().allMatch(before -> before.endedAt() != null
                && before.endedAt().isBefore(instant.minus(NOTICED)));
        if (late || (run == null && free)) {
            timeline.broken("Instant " + instant + " of the schedule has " + (run == null
                    ? "no job"
                    : "its job at "
                            + run.id().pushedAt())
                    + ", and " + node.id + " worked undisturbed", (Throwable) null);
        }
    }
}
