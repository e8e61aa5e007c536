package dev.orderly.room.store;

import dev.orderly.room.RoomState;
import dev.orderly.room.RoomState.TierLine;
import dev.orderly.room.Tiers;
import dev.orderly.room.Tiers.Tier;
import java.util.ArrayList;
import java.util.List;

/**
 * The shares of the lines of a room, as a governor wants them.
 *
 * <p>A store takes over the shares of its lines in their order, as long as the names are the same; a line that has
 * issued no place may get another name. Lines behind the last one are added. A line that is missing here goes on with
 * its share, until an epoch ends in which it has issued no place.
 *
 * @param rest the share of the first line
 * @param reach gates report the present visitors of each line up to this many places behind its cursor
 * @param lines those of the tiers, by number from 1
 */
public record TierShares(int rest, long reach, List<Share> lines) {
    /** A room without tiers: nothing changes. */
    public static final TierShares NONE = new TierShares(100, 0, List.of());
    /** Most lines of tiers in an epoch; visitors of further tiers have the first line until the next epoch. */
    public static final int MOST = 60;

    /** The share of a line. */
    public record Share(String name, int percent) {}

    public TierShares {
        lines = List.copyOf(lines);
    }

    /**
     * The shares of the tiers, in the lines that a room has already. A lobby whose draw was committed to without tiers
     * keeps its one line until the draw.
     */
    public static TierShares of(RoomState state, Tiers tiers, long reach) {
        boolean oneLine = state.draws().pending().filter(draw -> draw.tiers() == null).isPresent();
        if (state.tiers().isEmpty() && (tiers.isEmpty() || oneLine)) {
            return NONE;
        }
        boolean fresh = state.tiers().stream().allMatch(line -> line.line().length() == Tiers.start(line.number()));
        List<Share> lines = new ArrayList<>();
        for (TierLine line : fresh ? List.<TierLine>of() : state.tiers()) {
            int share = tiers.all().stream().filter(tier -> tier.name().equals(line.name())).mapToInt(Tier::share)
                    .findFirst().orElse(line.share());
            lines.add(new Share(line.name(), share));
        }
        tiers.all().stream().filter(tier -> lines.stream().noneMatch(line -> line.name().equals(tier.name())))
                .limit(Math.max(0, MOST - lines.size()))
                .map(tier -> new Share(tier.name(), tier.share())).toList().forEach(lines::add);
        return new TierShares(tiers.rest(), reach, lines);
    }
}
