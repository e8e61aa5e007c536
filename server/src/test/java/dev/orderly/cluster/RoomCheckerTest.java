package dev.orderly.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.cluster.RoomRecords.Join;
import dev.orderly.cluster.RoomRecords.Stay;
import dev.orderly.cluster.RoomRecords.Wait;
import dev.orderly.room.Limits;
import dev.orderly.room.Rate;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The checker finds every planted fault, and none in a correct run. Moments are tenths of seconds here. */
class RoomCheckerTest {
    private static final long TENTH = 100_000_000L;
    /** Two visitors at once, and two in ten seconds. */
    private static final Limits LIMITS = new Limits(2, new Rate(2, Duration.ofSeconds(10)));

    private final RoomRecords records = new RoomRecords(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(),
            new ArrayList<>());

    /** Two visitors enter at once, the third after the first has left and ten seconds are over. */
    RoomCheckerTest() {
        join(1, 0, 10);
        join(2, 5, 15);
        join(3, 16, 20);
        stay(1, 0, 10, 80);
        stay(2, 5, 15, 200);
        waits(3, 20, 105);
        stay(3, 105, 110, 210);
    }

    @Test
    void aCorrectRunHasNoProblems() {
        RoomChecker.Findings findings = RoomChecker.check(records, LIMITS);
        assertThat(findings.problems()).isEmpty();
        assertThat(findings.mostInside()).isEqualTo(2);
        assertThat(findings.mostInPeriod()).isEqualTo(2);
        assertThat(findings.standstill()).isEqualTo(Duration.ofMillis(9_500));
    }

    @Test
    void aPlaceOfTwoVisitorsIsFound() {
        join(3, 17, 21);
        assertThat(problem()).startsWith("one place twice");
    }

    @Test
    void aPlaceThatEnteredTwiceIsFound() {
        stay(1, 205, 208, 209);
        assertThat(problem()).startsWith("one place was admitted twice");
    }

    @Test
    void aPlaceBehindALaterVisitorIsFound() {
        join(4, 11, 15);
        assertThat(problem()).startsWith("has a place behind a later visitor");
    }

    @Test
    void onePassTooManyIsFound() {
        records.stays().removeFirst();
        stay(1, 0, 10, 120);
        assertThat(problem()).startsWith("beyond the capacity: 3");
    }

    @Test
    void oneAdmissionTooManyInAPeriodIsFound() {
        records.stays().removeLast();
        stay(3, 88, 95, 210);
        records.waits().clear();
        assertThat(problem()).startsWith("beyond the rate: 3");
    }

    @Test
    void overtakingAPresentVisitorIsFound() {
        join(4, 25, 30);
        waits(3, 105, 190);
        records.stays().removeLast();
        stay(4, 106, 110, 210);
        assertThat(problem()).startsWith("overtook present visitors: 1 with at most 0");
    }

    @Test
    void overtakingAnAbsentVisitorIsAllowed() {
        join(4, 25, 30);
        records.stays().removeLast();
        stay(4, 106, 110, 210);
        assertThat(RoomChecker.check(records, LIMITS).problems()).isEmpty();
    }

    @Test
    void aRoomThatAdmitsNobodyIsFound() {
        join(4, 25, 30);
        stay(4, 210, 211, 300);
        assertThat(problem()).startsWith("nobody was admitted for too long: PT10.1S");
    }

    @Test
    void logsAreReadAsTheyWereWritten(@TempDir Path folder) throws IOException {
        Path log = folder.resolve("log");
        NodeLog written = new NodeLog(log);
        written.write("ready", 0);
        written.write("walk-in", 1, 2, "a", 1, 900);
        written.write("join", 3, 4, "b", 2, 1_000);
        written.write("leave", 5, 6, "a");
        written.write("wait", 7, 8, "b", 2, 1_000);
        written.write("enter", 4_000_000_000L, 4_000_000_001L, "b", 2, 5_000_000_000L);
        written.write("renew", 4_500_000_000L, 4_500_000_001L, "b", 2, 6_000_000_000L);
        written.write("other", 9, 10, "Unavailable");
        assertThat(RoomRecords.read(Map.of("g", log))).isEqualTo(new RoomRecords(
                List.of(new Join("g", 1, 1, 2), new Join("g", 2, 3, 4)), List.of(new Wait(2, 4, 7)),
                List.of(new Stay("g", 1, 1, 2, 5), new Stay("g", 2, 4_000_000_000L, 4_000_000_001L, 6_000_000_000L)),
                List.of("g Unavailable")));
    }

    private void join(long place, long asked, long answered) {
        records.joins().add(new Join("g", place, asked * TENTH, answered * TENTH));
    }

    private void waits(long place, long from, long until) {
        records.waits().add(new Wait(place, from * TENTH, until * TENTH));
    }

    private void stay(long place, long asked, long answered, long end) {
        records.stays().add(new Stay("g", place, asked * TENTH, answered * TENTH, end * TENTH));
    }

    private String problem() {
        List<String> problems = RoomChecker.check(records, LIMITS).problems();
        assertThat(problems).hasSize(1);
        return problems.getFirst();
    }
}
