package dev.orderly.cluster;

import dev.orderly.cluster.RoomRecords.Join;
import dev.orderly.cluster.RoomRecords.Stay;
import dev.orderly.room.Limits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Checks the answers to visitors of all gates against the room's promises. Only certain facts count: nothing is read
 * from the store, so only the moments before and after each answer are known.
 */
final class RoomChecker {
    /** The largest difference between the clocks of two gates, which both follow the store's clock. */
    private static final long CLOCKS = Duration.ofMillis(50).toNanos();
    private static final Duration STANDSTILL = Duration.ofSeconds(10);
    private static final int MOST = 20;

    private final RoomRecords records;
    private final int capacity;
    private final int admissions;
    private final long period;
    private final List<Stay> stays;
    private final List<String> problems = new ArrayList<>();
    private int mostInside;
    private int mostInPeriod;

    /**
     * @param mostInside passes that were certainly valid at once
     * @param mostInPeriod admissions that were certainly in one period
     * @param standstill the longest time without an admission
     */
    record Findings(List<String> problems, int joins, int admitted, int mostInside, int mostInPeriod,
            Duration standstill) {}

    private RoomChecker(RoomRecords records, Limits limits) {
        this.records = records;
        this.capacity = limits.mostPasses().orElseThrow();
        this.admissions = limits.mostAdmissions().orElseThrow().admissions();
        this.period = limits.mostAdmissions().orElseThrow().period().toNanos();
        this.stays = records.stays().stream().sorted(Comparator.comparingLong(Stay::answered)).toList();
    }

    static Findings check(RoomRecords records, Limits limits) {
        RoomChecker checker = new RoomChecker(records, limits);
        checker.places();
        checker.stays.forEach(checker::admitted);
        Duration standstill = checker.standstill();
        return new Findings(checker.problems, records.joins().size(), checker.stays.size(), checker.mostInside,
                checker.mostInPeriod, standstill);
    }

    /** Each place is issued once, and a question asked after the answer to another gets a later place. */
    private void places() {
        List<Join> inLine = records.joins().stream().sorted(Comparator.comparingLong(Join::place)).toList();
        long latest = Long.MIN_VALUE;
        for (int i = 0; i < inLine.size(); i++) {
            Join join = inLine.get(i);
            if (i > 0 && join.place() == inLine.get(i - 1).place()) {
                problem("one place twice", inLine.get(i - 1) + " " + join);
            }
            if (join.answered() < latest) {
                problem("has a place behind a later visitor", join);
            }
            latest = Math.max(latest, join.asked());
        }
        Set<Long> admitted = new HashSet<>();
        stays.stream().filter(stay -> !admitted.add(stay.place()))
                .forEach(stay -> problem("one place was admitted twice", stay));
    }

    private void admitted(Stay entering) {
        int inside = 1;
        int before = 1;
        int after = 0;
        for (Stay other : stays) {
            if (other.equals(entering)) {
                after++;
                continue;
            }
            boolean good = other.answered() <= entering.asked() && other.end() - CLOCKS > entering.answered();
            inside += good ? 1 : 0;
            boolean lately = other.answered() <= entering.asked()
                    && other.asked() - CLOCKS > entering.answered() - period;
            before += lately ? 1 : 0;
            boolean soon = other.asked() >= entering.asked()
                    && other.answered() + CLOCKS < entering.asked() + period;
            after += soon ? 1 : 0;
        }
        mostInside = Math.max(mostInside, inside);
        mostInPeriod = Math.max(mostInPeriod, after);
        if (inside > capacity) {
            problem("beyond the capacity", inside + " with " + entering);
        }
        if (after > admissions) {
            problem("beyond the rate", after + " from " + entering);
        }
        long passed = records.waits().stream().filter(wait -> wait.place() < entering.place()
                && wait.from() <= entering.asked() && wait.until() >= entering.answered()).count();
        int kept = Math.min(capacity - inside, admissions - before);
        if (passed > 0 && passed > kept) {
            problem("overtook present visitors", passed + " with at most " + kept + " admissions kept: " + entering);
        }
    }

    private Duration standstill() {
        long longest = 0;
        for (int i = 1; i < stays.size(); i++) {
            long gap = stays.get(i).answered() - stays.get(i - 1).answered();
            longest = Math.max(longest, gap);
            if (gap > STANDSTILL.toNanos()) {
                problem("nobody was admitted for too long", Duration.ofNanos(gap) + " before " + stays.get(i));
            }
        }
        return Duration.ofNanos(longest);
    }

    private void problem(String rule, Object what) {
        if (problems.stream().filter(each -> each.startsWith(rule + ": ")).count() < MOST) {
            problems.add(rule + ": " + what);
        }
    }
}
