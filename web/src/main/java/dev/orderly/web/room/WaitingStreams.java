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
     * The numbers of streams. Applications change the {@link #DEFAULT}: the constructor may get more parameters.
     *
     * @param streams in all, 1 or more
     * @param perAddress of one address, 1 or more
     * @param perTicket of one place in line, which may be open in several tabs
     */
    public record Limits(int streams, int perAddress, int perTicket) {
        /** 5,000 streams in all, 500 of an address, and 4 of a place. */
        public static final Limits DEFAULT = new Limits(5_000, 500, 4);

        public Limits withStreams(int value) {
            return new Limits(value, perAddress, perTicket);
        }

        public Limits withPerAddress(int value) {
            return new Limits(streams, value, perTicket);
        }

        public Limits withPerTicket(int value) {
            return new Limits(streams, perAddress, value);
        }
    }

    /** A bound of {@link Limits#DEFAULT}. */
    public static WaitingStreams byDefault() {
        return new WaitingStreams(Limits.DEFAULT);
    }

    public WaitingStreams(Limits limits) {
        this.addresses = new Quota<>(new Quota.Limit(limits.streams(), limits.perAddress()));
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
