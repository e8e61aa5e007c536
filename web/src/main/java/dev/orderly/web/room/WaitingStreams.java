package dev.orderly.web.room;

import dev.orderly.flow.Quota;
import dev.orderly.room.VisitorId;
import dev.orderly.web.problem.LimitProblems;
import dev.orderly.web.problem.Problem;
import dev.orderly.web.problem.ProblemType;
import dev.orderly.web.problem.Problems;
import java.util.Optional;

/**
 * A bound on the event streams of waiting visitors of all rooms. A page without a stream polls instead, so that streams
 * never take the connections of visitors inside. Thread-safe.
 */
public final class WaitingStreams {
    private final Quota<String> addresses;
    private final Quota<VisitorId> visitors;

    /**
     * The numbers of streams.
     *
     * @param streams in all, and of one address
     * @param perTicket of one place in line, which may be open in several tabs
     */
    public record Limits(Quota.Limit streams, int perTicket) {}

    /** A bound of 5,000 streams in all, 500 of an address, and 4 of a place. */
    public static WaitingStreams byDefault() {
        return new WaitingStreams(new Limits(new Quota.Limit(5_000, 500), 4));
    }

    public WaitingStreams(Limits limits) {
        this.addresses = new Quota<>(limits.streams());
        this.visitors = new Quota<>(new Quota.Limit(Integer.MAX_VALUE, limits.perTicket()));
    }

    /** The number of open streams. */
    public int open() {
        return addresses.held();
    }

    /** Takes a slot, which {@link #give} gives back; the reason if there is none. */
    Optional<Problem> take(String address, VisitorId visitor) {
        if (visitors.take(visitor) != Quota.Taken.TAKEN) {
            return Optional.of(new Problem(ProblemType.TOO_MANY_STREAMS, "Your place in line has "
                    + visitors.limit().each() + " event streams open, as many as it may have: close one, or ask for the"
                    + " ticket now and then").withHeader(Problems.RETRY_AFTER, "30"));
        }
        Quota.Taken taken = addresses.take(address);
        if (taken != Quota.Taken.TAKEN) {
            visitors.give(visitor);
            return Optional.of(
                    LimitProblems.of(taken, addresses.limit(), "event streams of waiting visitors open"));
        }
        return Optional.empty();
    }

    void give(String address, VisitorId visitor) {
        addresses.give(address);
        visitors.give(visitor);
    }
}
