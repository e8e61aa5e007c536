package dev.orderly.http.user.job;

import dev.orderly.http.openapi.Doc;
import dev.orderly.http.openapi.OmitNull;
import dev.orderly.job.JobEvent;
import dev.orderly.job.JobId;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The events of a job. */
@Doc(name = "JobEvents")
public record EventsJson(JobId job, @Doc("By name.") List<Event> events) {
    /** As the worker of the job gets them. */
    public static final WorkerList<JobEvent, Event> LIST = new WorkerList<>("events", JobEvent::bytes,
            EventsJson::event);

    /** An event. */
    @Doc(name = "JobEvent")
    public record Event(String name, @Doc("null until it comes.") @Nullable PayloadJson value,
            @OmitNull @Nullable Instant cameAt,
            @Doc("Who sent it, if that is known.") @OmitNull @Nullable String from,
            @Doc("The end of the job's wait for it.") @OmitNull @Nullable Instant awaitedUntil,
            @Doc("Whether the wait is over and the event can come no more.") boolean timedOut) {}

    public static EventsJson of(JobId job, List<JobEvent> events) {
        return new EventsJson(job, LIST.of(events));
    }

    /** One of the events. */
    public static Event event(JobEvent event) {
        JobEvent.Arrival arrival = event.arrival();
        JobEvent.Awaited awaited = event.awaited();
        return new Event(event.name(), arrival == null ? null : PayloadJson.of(arrival.value(), true),
                arrival == null ? null : arrival.at(), arrival == null ? null : arrival.from(),
                awaited == null ? null : awaited.until(), arrival == null && awaited != null && awaited.over());
    }
}
