package dev.orderly.job;

import dev.orderly.OrderlyException;
import java.time.Instant;
import java.util.Objects;

/**
 * Exception of {@link Job#await} in the run after the wait for an event is over: the event has not come, and comes no
 * more. Caught, it is an answer like another. A handler that lets it escape makes the job a dead letter, since no retry
 * brings the event.
 */
public final class TimedOut extends OrderlyException {
    private static final long serialVersionUID = 1;

    private final String event;
    private final transient Instant until;

    public TimedOut(String event, Instant until) {
        super("Event " + Objects.requireNonNull(event, "event") + " has not come by "
                + Objects.requireNonNull(until, "until")
                + ": catch TimedOut to go on without it, or await another name", null);
        this.event = event;
        this.until = until;
    }

    /** The name of the event. */
    public String event() {
        return event;
    }

    /** The end of the wait. */
    public Instant until() {
        return until;
    }
}
