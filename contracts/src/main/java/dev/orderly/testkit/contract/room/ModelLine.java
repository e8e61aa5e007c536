package dev.orderly.testkit.contract.room;

import dev.orderly.room.RoomState.Line;
import dev.orderly.room.RoomState.TierLine;
import dev.orderly.room.Tiers;
import dev.orderly.room.store.TierShares;
import dev.orderly.room.store.TierShares.Share;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** A line of a {@link RoomModel}. Moments are milliseconds. */
final class ModelLine {
    final int number;
    String name;
    int share = 100;
    long length;
    long cursor;
    long horizon;
    long served;
    long last;
    long admitted;

    ModelLine(int number, String name) {
        this.number = number;
        this.name = name;
        beginAnew();
    }

    void beginAnew() {
        length = Tiers.start(number);
        cursor = length;
        horizon = length;
        served = 0;
        last = 0;
        admitted = 0;
    }

    private boolean isUnused() {
        return length == Tiers.start(number);
    }

    void enter(long now) {
        served += 1_000_000 / share;
        last = now;
        admitted++;
    }

    TierLine state(int door, int known, ModelLine first) {
        return new TierLine(number, name, share, new Line(length, cursor, horizon, known > 0), door, known, admitted,
                served - first.served);
    }

    /** Takes over shares. */
    static void apply(List<ModelLine> lines, TierShares shares) {
        List<Share> wanted = shares.lines();
        for (int n = 1; n <= wanted.size(); n++) {
            Share share = wanted.get(n - 1);
            if (n == lines.size()) {
                lines.add(new ModelLine(n, share.name()));
            }
            if (!lines.get(n).isUnused() && !lines.get(n).name.equals(share.name())) {
                break;
            }
            lines.get(n).name = share.name();
            lines.get(n).share = share.percent();
        }
        while (lines.size() > wanted.size() + 1 && lines.getLast().isUnused()) {
            lines.removeLast();
        }
        lines.getFirst().share = shares.rest();
    }

    /** Counts anew what each line was served, from the line that waits and was served least. */
    static void settle(List<ModelLine> lines, int[] present) {
        long least = lines.stream().filter(line -> present[line.number] > 0).mapToLong(line -> line.served).min()
                .orElse(Long.MAX_VALUE);
        lines.forEach(line -> line.served = Math.max(0, Math.min(1_000_000 / line.share, line.served - least)));
    }

    /**
     * The number of visitors at the door who go before the visitor of a line with this many ahead in it: of all of
     * them in the order of their turns.
     *
     * @param door the visitors at the door of each line
     */
    static int before(List<ModelLine> lines, int number, int ahead, int[] door, long now) {
        Comparator<Turn> order = Comparator.comparing(Turn::later).thenComparingLong(Turn::at)
                .thenComparingInt(Turn::line);
        Turn own = Turn.of(lines.get(number), ahead, now);
        List<Turn> others = new ArrayList<>();
        for (ModelLine line : lines) {
            IntStream.range(0, line.number == number ? 0 : door[line.number])
                    .forEach(n -> others.add(Turn.of(line, n, now)));
        }
        return ahead + (int) others.stream().filter(each -> order.compare(each, own) < 0).count();
    }

    /**
     * The turn of a visitor.
     *
     * @param later whether lines that wait for long go before it
     */
    private record Turn(boolean later, long at, int line) {
        static Turn of(ModelLine line, int ahead, long now) {
            return ahead == 0 && now - line.last >= 60_000
                    ? new Turn(false, line.last, line.number)
                    : new Turn(true, line.served + ahead * (1_000_000L / line.share), line.number);
        }
    }

    /** The wanted visitors at the door of each line: its share of {@code door}, and of what others leave over. */
    static int[] doors(List<ModelLine> lines, int door, int[] present) {
        int[] wanted = new int[lines.size()];
        List<ModelLine> open = new ArrayList<>(lines.stream().filter(line -> present[line.number] > 0).toList());
        lines.forEach(line -> wanted[line.number] = Math.min(door, 1));
        int left = door;
        for (boolean again = door > 0; again && !open.isEmpty();) {
            int all = open.stream().mapToInt(line -> line.share).sum();
            int now = Math.max(0, left);
            open.forEach(line -> wanted[line.number] = Math.max(1, Math.ceilDiv(now * line.share, all)));
            List<ModelLine> few = open.stream().filter(line -> present[line.number] <= wanted[line.number]).toList();
            left = now - few.stream().mapToInt(line -> present[line.number]).sum();
            again = open.removeAll(few);
        }
        return wanted;
    }
}
