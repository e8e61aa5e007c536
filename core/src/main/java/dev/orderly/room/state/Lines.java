package dev.orderly.room.state;

import dev.orderly.room.RoomState.TierLine;
import dev.orderly.room.Tiers;
import dev.orderly.room.store.GateReport.Presence;
import dev.orderly.room.store.StoredLine;
import dev.orderly.room.store.TierShares;
import dev.orderly.room.store.TierShares.Share;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The lines of a room's epoch: the first one, and one for each tier. Admissions are divided by shares, as in start-time
 * fair queueing (Goyal, Vin, Cheng 1996): each admission of a line costs it a turn that is as long as its share is
 * small, and the visitor with the lowest turn at the door is next. A line without visitors at its door takes no turn,
 * so its share flows on. Moments are milliseconds. Not thread-safe.
 */
final class Lines {
    private final List<VisitorLine> lines = new ArrayList<>(List.of(new VisitorLine(0)));
    /** One for each line; none without tiers. */
    private final List<TierLedger> ledgers = new ArrayList<>();

    /** Takes over the stored lines of tiers; the first line is restored by itself. */
    void restore(List<StoredLine> stored) {
        for (int number = 0; number < stored.size(); number++) {
            StoredLine line = stored.get(number);
            ledgers.add(new TierLedger(line));
            if (number > 0) {
                VisitorLine restored = new VisitorLine(number);
                restored.restore(line.length(), line.cursor(), false);
                lines.add(restored);
            }
        }
    }

    void beginEpoch() {
        lines.forEach(VisitorLine::beginEpoch);
        ledgers.forEach(TierLedger::beginEpoch);
    }

    boolean hasTiers() {
        return !ledgers.isEmpty();
    }

    VisitorLine first() {
        return lines.getFirst();
    }

    /** The line of a place. Of an unknown line no place is issued. */
    VisitorLine of(long place) {
        int number = Tiers.line(place);
        return number >= 0 && number < lines.size() ? lines.get(number) : new VisitorLine(0);
    }

    /** The number of the line of a tier: 0 without a tier, or if it has no line. */
    int number(@Nullable String tier) {
        return tier == null
                ? 0
                : IntStream.range(1, ledgers.size()).filter(n -> ledgers.get(n).name().equals(tier)).findFirst()
                        .orElse(0);
    }

    VisitorLine get(int number) {
        return lines.get(number);
    }

    void expire(long now) {
        lines.forEach(line -> line.expire(now));
    }

    int present() {
        return lines.stream().mapToInt(VisitorLine::present).sum();
    }

    int atDoor() {
        return lines.stream().mapToInt(VisitorLine::atDoor).sum();
    }

    /** Updates whether visitors wait. Returns whether that changed. */
    boolean updateCrowded() {
        return first().setCrowded(present() > 0);
    }

    // ---- turns

    /** The visitors at the door who go before the visitor of a called place; of the same line up to {@code most}. */
    long before(long place, int most, long now) {
        int ahead = of(place).before(place, most);
        return hasTiers() ? turnsBefore(Tiers.line(place), ahead, now) : ahead;
    }

    private long turnsBefore(int number, int ahead, long now) {
        TierLedger own = ledgers.get(number);
        boolean first = ahead == 0 && own.isDue(now);
        long before = ahead;
        for (int n = 0; n < ledgers.size(); n++) {
            TierLedger other = ledgers.get(n);
            int door = lines.get(n).atDoor();
            if (n != number && door > 0) {
                boolean earlier = other.last() < own.last() || (other.last() == own.last() && n < number);
                before += first
                        ? other.isDue(now) && earlier ? 1 : 0
                        : other.before(own.turn(ahead), n < number, door, now);
            }
        }
        return before;
    }

    /** Counts an admission of the line of a place. */
    void admitted(long place, long now) {
        int number = Tiers.line(place);
        if (number < ledgers.size()) {
            ledgers.get(number).admitted(now);
        }
    }

    // ---- steps of the governor

    /** Takes over shares, and drops unused lines that are not among them. */
    void apply(TierShares shares) {
        List<Share> wanted = shares.lines();
        if (ledgers.isEmpty() && !wanted.isEmpty()) {
            ledgers.add(new TierLedger(StoredLine.FIRST, shares.rest()));
        }
        for (int number = 1; number <= wanted.size(); number++) {
            Share share = wanted.get(number - 1);
            if (number == lines.size()) {
                lines.add(new VisitorLine(number));
                ledgers.add(new TierLedger(share.name(), share.percent()));
            } else if (lines.get(number).isUnused()) {
                ledgers.get(number).rename(share.name());
            } else if (!ledgers.get(number).name().equals(share.name())) {
                break;
            }
            ledgers.get(number).setShare(share.percent());
        }
        while (lines.size() > wanted.size() + 1 && lines.getLast().isUnused()) {
            lines.removeLast();
            ledgers.removeLast();
        }
        if (lines.size() == 1) {
            ledgers.clear();
        } else {
            ledgers.getFirst().setShare(shares.rest());
        }
    }

    /** Lines whose visitors wait owe each other nothing from before; a line without visitors keeps no claim. */
    void settle() {
        long least = IntStream.range(0, ledgers.size()).filter(n -> lines.get(n).present() > 0)
                .mapToLong(n -> ledgers.get(n).served()).min().orElse(Long.MAX_VALUE);
        ledgers.forEach(ledger -> ledger.settle(least));
    }

    /**
     * The wanted number of present visitors at the door of each line, so that {@code door} can enter by their shares:
     * what a line with fewer visitors leaves over goes to the others.
     */
    List<Integer> doors(int door, IntToLongFunction covered) {
        if (!hasTiers() || door == 0) {
            return lines.stream().map(_ -> door).toList();
        }
        int[] wanted = new int[lines.size()];
        int[] present = new int[lines.size()];
        List<Integer> open = new ArrayList<>();
        for (int n = 0; n < wanted.length; n++) {
            VisitorLine line = lines.get(n);
            present[n] = line.presentUpTo(Math.min(line.state().length(), covered.applyAsLong(n)));
            wanted[n] = 1;
            if (present[n] > 0) {
                open.add(n);
            }
        }
        long left = door;
        while (!open.isEmpty()) {
            long shares = open.stream().mapToLong(n -> ledgers.get(n).share()).sum();
            long before = Math.max(0, left);
            open.forEach(n -> wanted[n] = (int) Math.max(1, (before * ledgers.get(n).share() + shares - 1) / shares));
            List<Integer> few = open.stream().filter(n -> present[n] <= wanted[n]).toList();
            if (few.isEmpty()) {
                break;
            }
            left = before - few.stream().mapToLong(n -> present[n]).sum();
            open.removeAll(few);
        }
        return IntStream.of(wanted).boxed().toList();
    }

    int size() {
        return lines.size();
    }

    /** The last place issued, of each line by its number. */
    List<Long> lengths() {
        return lines.stream().map(line -> line.state().length()).toList();
    }

    // ---- views

    List<StoredLine> stored() {
        return IntStream.range(0, ledgers.size()).mapToObj(n -> n == 0
                ? ledgers.get(n).stored(0, 0)
                : ledgers.get(n).stored(lines.get(n).state().length(), lines.get(n).state().cursor())).toList();
    }

    List<TierLine> tiers() {
        return StoredLine.tiers(stored(), lines.stream().map(VisitorLine::horizon).toList(),
                lines.stream().map(VisitorLine::atDoor).toList(), lines.stream().map(VisitorLine::present).toList());
    }

    /** The highest place of a line up to which gates report visitors. */
    long horizon(int number) {
        return number < lines.size() ? lines.get(number).horizon() : Tiers.start(number);
    }

    /** The lowest places of present visitors of a line, each with the end of the presence. */
    List<Presence> presences(int number, int most) {
        return number < lines.size() ? lines.get(number).presences(most) : List.of();
    }
}
