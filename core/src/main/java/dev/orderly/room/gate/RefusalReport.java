package dev.orderly.room.gate;

import dev.orderly.Internal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What all gates of a room refused to visitors, each since its start.
 *
 * @param rows causes with a refusal, in the order of their declaration
 * @param unreachable nodes that did not answer, by host and process: what they refused is missing
 */
@Internal(to = "dev.orderly")
public record RefusalReport(List<Row> rows, List<String> unreachable) {
    /**
     * The refusals of one cause.
     *
     * @param count over all gates
     * @param last the moment of the last one
     * @param gates the counts of the nodes that have any, by host and process
     */
    public record Row(RoomRefusals.Cause cause, long count, Instant last, Map<String, Long> gates) {
        public Row {
            Objects.requireNonNull(cause, "cause");
            Objects.requireNonNull(last, "last");
            Objects.requireNonNull(gates, "gates");
            gates = Map.copyOf(gates);
        }
    }

    public RefusalReport {
        Objects.requireNonNull(rows, "rows");
        Objects.requireNonNull(unreachable, "unreachable");
        rows = List.copyOf(rows);
        unreachable = List.copyOf(unreachable);
    }
}
