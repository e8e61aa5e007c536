package dev.orderly.testkit;

import dev.orderly.job.EventResult;
import dev.orderly.job.JobEvent;
import dev.orderly.job.JobStep;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.AwaitAnswer;
import dev.orderly.job.store.EventWait;
import dev.orderly.job.store.NewEvent;
import dev.orderly.time.StoredTime;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;

/** The events of one job: what has come, and what it awaits. */
final class MemoryEvents {
    private final TreeMap<String, JobEvent> events = new TreeMap<>();

    AwaitAnswer await(EventWait wait, Instant now) {
        JobEvent before = events.get(wait.name());
        JobEvent after = wait.asked(before, now);
        if (before == null && !fits(after)) {
            return AwaitAnswer.Refused.FULL;
        }
        events.put(wait.name(), after);
        return new AwaitAnswer.Known(after);
    }

    EventResult keep(NewEvent event, Instant now) {
        JobEvent before = events.get(event.name());
        EventResult result = event.against(before);
        JobEvent after = event.arrived(before, now);
        if (result == EventResult.ACCEPTED && !fits(after)) {
            return EventResult.FULL;
        }
        if (result == EventResult.ACCEPTED) {
            events.put(event.name(), after);
        }
        return result;
    }

    private boolean fits(JobEvent event) {
        List<JobEvent> others = events.values().stream().filter(each -> !each.name().equals(event.name())).toList();
        return others.size() < JobStep.STEPS_MAX
                && others.stream().mapToInt(JobEvent::bytes).sum() + event.bytes() <= JobStep.BYTES_MAX;
    }

    boolean isAwaited(String name, int attempt) {
        JobEvent event = events.get(name);
        return event != null && event.awaited() != null && event.awaited().attempt() == attempt;
    }

    /** Notes what an attempt awaits; the outcome at once, if one of its events has come. */
    AttemptOutcome settle(int attempt, AttemptOutcome.Awaiting outcome) {
        boolean due = false;
        for (String name : outcome.names()) {
            JobEvent event = events.get(name);
            JobEvent.Awaited awaited = event == null ? null : event.awaited();
            if (event != null && awaited != null) {
                events.put(name, new JobEvent(name, new JobEvent.Awaited(awaited.until(), attempt, awaited.over()),
                        event.arrival()));
            }
            due |= event != null && (event.arrival() != null || (awaited != null && awaited.over()));
        }
        return due ? outcome.atOnce() : outcome;
    }

    /** All events, in clock time, by name. */
    List<JobEvent> list(StoredTime time) {
        return events.values().stream().map(each -> new AwaitAnswer.Known(each).shown(time).event()).toList();
    }
}
