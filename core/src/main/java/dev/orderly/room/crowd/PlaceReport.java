package dev.orderly.room.crowd;

import dev.orderly.Internal;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Who took the places of a room lately, over all gates.
 *
 * @param since the begin of the earliest hour that a gate still counts; null if no gate counted a place
 * @param places taken since then
 * @param addresses places by address
 * @param networks places by network
 * @param signIns places by sign-in
 * @param unreachable nodes that did not answer, by host and process: their counts are missing
 */
@Internal(to = "dev.orderly")
public record PlaceReport(@Nullable Instant since, long places, Top addresses, Top networks, Top signIns,
        List<String> unreachable) {
    public PlaceReport {
        Objects.requireNonNull(addresses, "addresses");
        Objects.requireNonNull(networks, "networks");
        Objects.requireNonNull(signIns, "signIns");
        Objects.requireNonNull(unreachable, "unreachable");
        unreachable = List.copyOf(unreachable);
    }

    /**
     * The takers with the most places.
     *
     * @param rows the most places first
     * @param error the most places by which a number is too low, and the most of a taker that is not listed
     */
    public record Top(List<Row> rows, long error) {
        public Top {
            Objects.requireNonNull(rows, "rows");
            rows = List.copyOf(rows);
        }
    }

    /**
     * A taker of places.
     *
     * @param taker an address, a network or the id of a user
     * @param places at least
     */
    public record Row(String taker, long places) {
        public Row {
            Objects.requireNonNull(taker, "taker");
        }
    }
}
