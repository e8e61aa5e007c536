package dev.orderly.config.reader;

import dev.orderly.config.ConfigProblem;
import dev.orderly.config.EdgeLimits;
import dev.orderly.config.EdgeLimits.OriginLimits;
import dev.orderly.config.schema.KeySpec;
import dev.orderly.config.schema.LimitSchema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The part of {@link ConfigReader} about limits of the edge. */
final class LimitReader {
    private static final EdgeLimits DEFAULT = EdgeLimits.DEFAULT;

    private final List<ConfigProblem> problems;

    LimitReader(List<ConfigProblem> problems) {
        this.problems = problems;
    }

    EdgeLimits read(CheckedSection at) {
        Integer connections = count(at, LimitSchema.CONNECTIONS);
        for (KeySpec.Key<Long> part : List.of(LimitSchema.PER_ADDRESS, LimitSchema.WAITING, LimitSchema.LIVE)) {
            checkPart(at, part, connections);
        }
        OriginLimits origin = new OriginLimits(count(at, LimitSchema.PAGES), count(at, LimitSchema.UPLOADS),
                count(at, LimitSchema.STREAMS), count(at, LimitSchema.WEB_SOCKETS),
                at.value(LimitSchema.STALL).orElse(DEFAULT.origin().stall()));
        Integer pushes = count(at, LimitSchema.PUSHES);
        Integer perTicket = count(at, LimitSchema.PER_TICKET);
        return new EdgeLimits(connections, count(at, LimitSchema.PER_ADDRESS), count(at, LimitSchema.WAITING),
                count(at, LimitSchema.WAITING_PER_ADDRESS), perTicket == null ? DEFAULT.streamsPerTicket() : perTicket,
                count(at, LimitSchema.LIVE), origin, pushes == null ? DEFAULT.pushes() : pushes,
                at.value(LimitSchema.ADDRESS_SHARE).orElse(DEFAULT.addressShare()),
                at.value(LimitSchema.BODIES).orElse(null));
    }

    /** Checks that a limit for some clients leaves a tenth of the connections to others. */
    private void checkPart(CheckedSection at, KeySpec.Key<Long> part, @Nullable Integer connections) {
        Integer given = count(at, part);
        if (given != null && connections != null && given > connections / 10 * 9) {
            problems.add(at.problem(part, "It leaves other clients less than a tenth of the " + connections
                    + " connections", "set it to " + connections / 10 * 9 + " at most, or raise connections"));
        }
    }

    private static @Nullable Integer count(CheckedSection at, KeySpec.Key<Long> key) {
        return at.value(key).map(Math::toIntExact).orElse(null);
    }
}
