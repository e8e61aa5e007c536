package dev.orderly.config;

import dev.orderly.config.EdgeLimits.OriginLimits;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The part of {@link ConfigReader} about limits of the edge. */
final class LimitReader {
    private static final EdgeLimits DEFAULT = EdgeLimits.DEFAULT;

    private final List<Problem> problems;

    LimitReader(List<Problem> problems) {
        this.problems = problems;
    }

    EdgeLimits read(Settings at) {
        Integer connections = count(at, LimitTable.CONNECTIONS);
        for (Entry.Key<Long> part : List.of(LimitTable.PER_ADDRESS, LimitTable.WAITING, LimitTable.LIVE)) {
            checkPart(at, part, connections);
        }
        OriginLimits origin = new OriginLimits(count(at, LimitTable.PAGES), count(at, LimitTable.UPLOADS),
                count(at, LimitTable.STREAMS), count(at, LimitTable.WEB_SOCKETS),
                at.value(LimitTable.STALL).orElse(DEFAULT.origin().stall()));
        Integer pushes = count(at, LimitTable.PUSHES);
        Integer perTicket = count(at, LimitTable.PER_TICKET);
        return new EdgeLimits(connections, count(at, LimitTable.PER_ADDRESS), count(at, LimitTable.WAITING),
                count(at, LimitTable.WAITING_PER_ADDRESS), perTicket == null ? DEFAULT.streamsPerTicket() : perTicket,
                count(at, LimitTable.LIVE), origin, pushes == null ? DEFAULT.pushes() : pushes,
                at.value(LimitTable.ADDRESS_SHARE).orElse(DEFAULT.addressShare()),
                at.value(LimitTable.BODIES).orElse(null));
    }

    /** Checks that a limit for some clients leaves a tenth of the connections to others. */
    private void checkPart(Settings at, Entry.Key<Long> part, @Nullable Integer connections) {
        Integer given = count(at, part);
        if (given != null && connections != null && given > connections / 10 * 9) {
            problems.add(at.problem(part, "It leaves other clients less than a tenth of the " + connections
                    + " connections", "set it to " + connections / 10 * 9 + " at most, or raise connections"));
        }
    }

    private static @Nullable Integer count(Settings at, Entry.Key<Long> key) {
        return at.value(key).map(Math::toIntExact).orElse(null);
    }
}
