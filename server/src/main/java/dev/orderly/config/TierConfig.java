package dev.orderly.config;

import dev.orderly.config.schema.CheckedSection;
import dev.orderly.config.schema.KeySpec;
import dev.orderly.config.schema.KeySpec.Absent;
import dev.orderly.config.schema.KeySpec.Listed;
import dev.orderly.config.schema.RoomValueTypes;
import dev.orderly.config.schema.ValueTypes;
import dev.orderly.room.Tiers;
import dev.orderly.room.Tiers.Tier;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The tiers of a room of the file. */
final class TierConfig {
    static final KeySpec.Key<String> NAME = new KeySpec.Key<>("name", RoomValueTypes.text(40, "members"),
            new Absent.Refused(),
            "The name of the tier, which visitors read: lower-case letters, digits, '-' and '_'.");
    static final KeySpec.Key<String> CLAIM = new KeySpec.Key<>("claim", RoomValueTypes.text(300, "\"tier=gold\""),
            new Absent.Depends("none"),
            "The claim of the user's token by which a visitor belongs to the tier, and its value; of a list, one of its"
                    + " values. See users.jwt. A tier has a claim, invitations, or both.");
    static final KeySpec.Key<Integer> SHARE = new KeySpec.Key<>("share", RoomValueTypes.wholeShare("20%"),
            new Absent.Refused(), "Of the admissions, while visitors of all tiers wait.");
    static final KeySpec.Key<Boolean> INVITATIONS = new KeySpec.Key<>("invitations", ValueTypes.flag(),
            new Absent.Means("false"),
            "Whether invitations to the tier may be issued: whoever redeems one stands in its line.");
    static final Listed TIERS = new Listed("tiers", List.of(NAME, CLAIM, SHARE, INVITATIONS),
            "Visitors with lines and shares of the admissions of their own, at most 8; all others share the rest.");

    private TierConfig() {}

    static Tiers read(CheckedSection at) {
        List<CheckedSection> items = at.items(TIERS);
        List<Tier> tiers = items.stream().flatMap(item -> tier(item).stream()).toList();
        try {
            return tiers.size() < items.size() ? Tiers.NONE : new Tiers(tiers); // what is invalid was reported
        } catch (IllegalArgumentException e) {
            at.report(TIERS, "Its tiers do not go together", String.valueOf(e.getMessage()));
            return Tiers.NONE;
        }
    }

    private static Optional<Tier> tier(CheckedSection at) {
        Optional<String> name = at.value(NAME);
        Optional<String> claim = at.value(CLAIM);
        Optional<Integer> share = at.value(SHARE);
        Optional<Boolean> invitations = at.value(INVITATIONS);
        if (name.isEmpty() || share.isEmpty() || (claim.isEmpty() && at.has(CLAIM)) || invitations.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(new Tier(name.get(), claim.orElse(null), share.get(), invitations.get()));
        } catch (IllegalArgumentException e) {
            at.report("The tier is none", String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    /** Their part of the room's line in the log. */
    static Stream<String> inForce(Tiers tiers) {
        return tiers.all().stream()
                .map(tier -> "tier " + tier.name() + (tier.claim() == null ? "" : " of " + tier.claim())
                        + (tier.invitations() ? " by invitations" : "") + " share " + tier.share() + "%");
    }
}
