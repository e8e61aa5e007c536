package dev.orderly.room.invitation;

import java.time.Instant;
import java.util.List;
import java.util.Objects;

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

    @Override
    public String toString() {
        return codes.size() + " invitations to tier " + tier + " until " + until + ", series " + series;
    }
}
