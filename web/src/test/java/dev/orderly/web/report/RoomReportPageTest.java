package dev.orderly.web.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.history.RoomReport;
import dev.orderly.history.RoomReport.Point;
import dev.orderly.history.RoomReport.TierVisitors;
import dev.orderly.history.RoomReport.Total;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

class RoomReportPageTest {
    private static final Instant TEN = Instant.parse("2027-03-01T10:00:00Z");

    private static RoomReportPage page(List<Point> points, Total total) {
        return new RoomReportPage(new RoomReport("sale", TEN, TEN.plusSeconds(120), 60, total, points),
                ZoneOffset.UTC);
    }

    private final RoomReportPage full = page(
            List.of(new Point(TEN, 30, 12, 1, 18L, 12L, 200L, 4_000L, 9_500L),
                    new Point(TEN.plusSeconds(60), 0, 18, 0, 0L, 30L, 200L, null, null)),
            new Total(1_030, 30, 1, 2, 18, 5_000L, 4_000L, 9_500L, 20, 17, 0, 3,
                    List.of(new RoomReport.Refused("joins-per-address", 3)), new RoomReport.Places(750, 200, 50, 0)));

    @Test
    void theSumsAreNamedInWords() {
        assertThat(full.title()).isEqualTo("Room sale, 2027-03-01 10:00 to 2027-03-01 10:02");
        assertThat(full.facts()).containsEntry("arrivals", "1,030")
                .containsEntry("waits within the announced range", "85 % of 20").containsEntry("wait p50", "4 s")
                .containsEntry("refused by joins per address", "3")
                .containsEntry("the 11th to 100th place of a network", "200 (20 %)");
    }

    @Test
    void thePageNeedsNoNetworkAndHasAPathForEachLine() {
        String html = full.html();
        assertThat(html).contains("<h1>Room sale, ").doesNotContain("http://w3.org", "src=", "href=", "<script");
        assertThat(html.replace("xmlns=\"http://www.w3.org/2000/svg\"", "")).doesNotContain("//");
        assertThat(html.split("fill=\"none\"", -1)).hasSize(1 + 7);
        assertThat(html.split("stroke-linecap=\"round\"", -1)).as("waits of one minute are dots").hasSize(1 + 2);
    }

    @Test
    void theCourseIsATableWithEmptyFieldsWhereNothingWasRecorded() {
        assertThat(full.csv().replace("\r\n", "\n")).isEqualTo("""
                at,arrivals,entered,gave_up,waiting,inside,capacity,wait_p50,wait_p95
                2027-03-01T10:00:00Z,30,12,1,18,12,200,4.0,9.5
                2027-03-01T10:01:00Z,0,18,0,0,30,200,,
                """);
        assertThat(full.csv().lines()).hasSize(3);
    }

    @Test
    void eachTierIsARowOfTheTableAndHasACourse() {
        RoomReport report = full.report();
        RoomReportPage tiered = new RoomReportPage(new RoomReport(report.room(), report.from(), report.until(), 60,
                report.total(), report.points(), List.of(
                        new TierVisitors("press", 1_000, 7, 20, 4_000L, null, 10, 9,
                                List.of(new Point(TEN, 7, 2, 0, null, null, null, 4_000L, null))),
                        new TierVisitors(null, 30, 0, 10, null, null, 0, 0, List.of()))),
                ZoneOffset.UTC);
        assertThat(tiered.tiers()).containsExactly(List.of("press", "1,000", "7", "20", "4 s", "-", "90 % of 10"),
                List.of("no tier", "30", "0", "10", "-", "-", "-"));
        assertThat(tiered.html()).contains("<th scope=\"row\">press</th><td>1,000</td>", "<h2>Tiers</h2>");
        assertThat(full.html()).doesNotContain("Tiers");
        assertThat(tiered.csv().lines()).first().asString().endsWith(",wait_p95,tier");
        assertThat(tiered.csv().lines()).element(1).asString().isEqualTo(
                "2027-03-01T10:00:00Z,30,12,1,18,12,200,4.0,9.5,");
        assertThat(tiered.csv().lines()).last().asString().isEqualTo("2027-03-01T10:00:00Z,7,2,0,,,,4.0,,press");
    }

    @Test
    void aRoomWithoutAHistoryHasAPageToo() {
        RoomReportPage none = page(List.of(), new Total(0, 0, 0, 0, 0, null, null, null, 0, 0, 0, 0, List.of(),
                new RoomReport.Places(0, 0, 0, 0)));
        assertThat(none.facts()).containsEntry("wait p95", "-").containsEntry("waits within the announced range", "-");
        assertThat(none.html()).contains("</svg>");
    }
}
