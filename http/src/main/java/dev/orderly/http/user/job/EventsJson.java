package dev.orderly.http.user.job;

import dev.orderly.http.openapi.Doc;
import dev.orderly.http.openapi.OmitNull;
import dev.orderly.http.openapi.RecordJson;
import dev.orderly.job.JobEvent;
import dev.orderly.job.JobId;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The events of a job. */
@Doc(name = "JobEvents")
public record EventsJson(JobId job, @Doc("By name.") List<Event> events) {
    /** An event. */
    @Doc(name = "JobEvent")
    public record Event(String name, @Doc("null until it comes.") @Nullable PayloadJson value,
            @OmitNull @Nullable Instant cameAt,
            @Doc("Who sent it, if that is known.") @OmitNull @Nullable String from,
            @Doc("The end of the job's wait for it.") @OmitNull @Nullable Instant awaitedUntil,
            @Doc("Whether the wait is over and the event can come no more.") boolean timedOut) {}

    public static EventsJson of(JobId job, List<JobEvent> events) {
        return new EventsJson(job, events.stream().map(EventsJson::event).toList());
    }

    private static Event event(JobEvent event) {
        JobEvent.Arrival arrival = event.arrival();
        JobEvent.Awaited awaited = event.awaited();
        return new Event(event.name(), arrival == null ? null : PayloadJson.of(arrival.value(), true),
                arrival == null ? null : arrival.at(), arrival == null ? null : arrival.from(),
                awaited == null ? null : awaited.until(), arrival == null && awaited != null && awaited.over());
    }

    /** The events that go with a job to its worker; null for none, and if they are too large: see {@link #link}. */
    public static @Nullable List<Event> inline(JobId job, List<JobEvent> events) {
        return events.isEmpty() || bytes(events) > Inline.MAX ? null : of(job, events).events;
    }

    /** Where a worker finds events that are too large to go with the job, below the base of its reports; else null. */
    public static @Nullable String link(JobId job, List<JobEvent> events) {
        return bytes(events) > Inline.MAX ? path(job) : null;
    }

    /** The events as JSON for a header, in ASCII; null if they are too large. */
    public static @Nullable String header(JobId job, List<JobEvent> events) {
        return bytes(events) > Inline.HEADER_MAX ? null : Inline.header(RecordJson.bytes(of(job, events).events));
    }

    /** The path of the events of a job, below the base of the reports of its worker. */
    public static String path(JobId job) {
        return "jobs/" + job + "/events";
    }

    private static long bytes(List<JobEvent> events) {
        return events.stream().mapToLong(JobEvent::bytes).sum();
    }
}
