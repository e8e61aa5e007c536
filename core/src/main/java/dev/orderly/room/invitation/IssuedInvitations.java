package dev.orderly.room.invitation;

import dev.orderly.room.RoomName;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * Invitations that were issued together. Nothing of them is stored.
 *
 * @param series its id as people read it
 * @param epoch of the room
 * @param until their end, in whole seconds
 * @param codes secrets: who has one may take its place
 */
public record IssuedInvitations(String series, String tier, long epoch, Instant until, List<String> codes) {
    public IssuedInvitations {
        Objects.requireNonNull(series, "series");
        Objects.requireNonNull(tier, "tier");
        Objects.requireNonNull(until, "until");
        Objects.requireNonNull(codes, "codes");
        codes = List.copyOf(codes);
    }

    /** The codes as CSV with a heading, each with a link to the page that takes it, as a path of the site. */
    public String csv(RoomName room) {
        Objects.requireNonNull(room, "room");
        String path = "/.orderly/rooms/" + room + "/invitation#";
        return codes.stream().map(code -> code + "," + path + code + "," + until + "\r\n")
                .collect(Collectors.joining("", "code,link,expires\r\n", ""));
    }

    /** What is said of the codes, without them. */
    @Override
    public String toString() {
        return new IssuedSeries(series, codes.size(), tier, until).toString();
    }
}
