package dev.orderly.room.gate;

import dev.orderly.Internal;
import dev.orderly.room.VisitorId;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the holder of a ticket needs to check a draw.
 *
 * @param opening the moment at which the opening begins by the configuration: the name of the draw
 * @param index of the ticket, from 0
 * @param count the number of tickets
 * @param place the drawn place in the line of the tier, from 1; null before the draw
 * @param tier the name of the ticket's tier; empty for none
 * @param ticket the id of the ticket; zeros for one of a gate that did not know of the draw
 * @param nonce 32 hexadecimal digits
 * @param browser whether the nonce is the browser's, rather than the gate's
 * @param leaf what the ticket added to the root, in hexadecimal digits
 * @param path the siblings from the leaf to the root, in hexadecimal digits
 * @param root of all tickets, in hexadecimal digits
 */
@Internal(to = "dev.orderly")
public record DrawReceipt(Instant opening, long index, long count, @Nullable Long place, String tier,
        VisitorId ticket, String nonce, boolean browser, String leaf, List<String> path, String root) {
    public DrawReceipt {
        path = List.copyOf(path);
    }
}
