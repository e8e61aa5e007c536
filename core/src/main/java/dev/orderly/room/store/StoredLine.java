package dev.orderly.room.store;

import dev.orderly.room.RoomState;
import dev.orderly.room.RoomState.TierLine;
import dev.orderly.room.Tiers;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The stored record of a line of a room with tiers. The first line, number 0, has its places in the room's own record.
 *
 * @param name of the tier; {@value #FIRST} for the first line
 * @param served what the line has had of the admissions: grows with each one by {@value #TURN}, divided by the share
 * @param last the moment of its last admission, in Unix milliseconds
 * @param admitted admissions since the epoch began
 */
public record StoredLine(String name, int share, long length, long cursor, long served, long last, long admitted) {
    /** The name of the first line, which is no name of a tier. */
    public static final String FIRST = "-";
    /** The cost of an admission for a line that gets all of them, times a hundred. */
    public static final long TURN = 1_000_000;
    /** A line that has admitted nobody for this long, in milliseconds, is next. */
    public static final long PATIENCE = 60_000;

    /** The lines as a text, a line each; null for none. */
    public static @Nullable String stored(List<StoredLine> lines) {
        return lines.isEmpty()
                ? null
                : lines.stream().map(each -> each.name + " " + each.share + " " + each.length + " " + each.cursor + " "
                        + each.served + " " + each.last + " " + each.admitted).collect(Collectors.joining("\n"));
    }

    /** The lines of a text of {@link #stored}, also with further numbers behind. */
    public static List<StoredLine> ofStored(@Nullable String text) {
        return text == null
                ? List.of()
                : text.lines().map(line -> line.split(" ", -1)).map(part -> new StoredLine(
                        part[0], Integer.parseInt(part[1]), Long.parseLong(part[2]), Long.parseLong(part[3]),
                        Long.parseLong(part[4]), Long.parseLong(part[5]), Long.parseLong(part[6]))).toList();
    }

    /**
     * The lines of tiers as a state has them.
     *
     * @param horizons of all lines, by number
     * @param door called visitors who are present, by number
     * @param known present visitors, by number
     */
    public static List<TierLine> tiers(List<StoredLine> lines, List<Long> horizons, List<Integer> door,
            List<Integer> known) {
        List<TierLine> tiers = new ArrayList<>();
        for (int number = 1; number < lines.size(); number++) {
            StoredLine line = lines.get(number);
            tiers.add(new TierLine(number, line.name, line.share,
                    new RoomState.Line(line.length, line.cursor,
                            Math.max(horizons.get(number), Tiers.start(number)), known.get(number) > 0),
                    door.get(number), known.get(number), line.admitted, line.served - lines.getFirst().served));
        }
        return tiers;
    }
}
