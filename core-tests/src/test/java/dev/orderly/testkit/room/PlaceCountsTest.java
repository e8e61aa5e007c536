package dev.orderly.testkit.room;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.room.crowd.PlaceBand;
import dev.orderly.room.crowd.PlaceCounts;
import dev.orderly.room.crowd.PlaceReport;
import dev.orderly.room.crowd.PlaceReport.Row;
import dev.orderly.room.crowd.PlaceSum;
import dev.orderly.testkit.ManualTime;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PlaceCountsTest {
    private final ManualTime time = new ManualTime();
    private final PlaceCounts counts = new PlaceCounts(time);

    private PlaceReport report() {
        return new PlaceSum(10).add(counts).report(List.of());
    }

    private void count(String address, int times) {
        for (int n = 0; n < times; n++) {
            counts.count(address);
        }
    }

    @Test
    void placesCountByAddressByNetworkAndBySignIn() {
        count("192.0.2.1", 3);
        count("192.0.2.200", 2);
        count("2001:db8:7:1:0:0:0:0/64", 1);
        count("2001:db8:7:2:0:0:0:0/64", 1);
        count("a name of a proxy", 1);
        counts.countSignIn("ada");
        PlaceReport report = report();
        assertThat(report.places()).isEqualTo(8);
        assertThat(report.since()).isEqualTo(time.now());
        assertThat(report.addresses().rows()).hasSize(5).startsWith(new Row("192.0.2.1", 3));
        assertThat(report.networks().rows()).containsExactly(new Row("192.0.2.0/24", 5), new Row("2001:db8:7::/48", 2),
                new Row("a name of a proxy", 1));
        assertThat(report.signIns().rows()).containsExactly(new Row("ada", 1));
        assertThat(counts.ofNetwork("192.0.2.77")).isEqualTo(5);
    }

    @Test
    void whatIsOlderThanTheFormerHourIsForgotten() {
        count("192.0.2.1", 3);
        time.advance(Duration.ofMinutes(61));
        count("192.0.2.1", 1);
        assertThat(counts.ofNetwork("192.0.2.1")).isEqualTo(4);
        assertThat(report().places()).isEqualTo(4);
        time.advance(Duration.ofMinutes(60));
        assertThat(report().addresses().rows()).containsExactly(new Row("192.0.2.1", 1));
        time.advance(Duration.ofHours(5));
        counts.tidy();
        assertThat(report()).isEqualTo(new PlaceSum(10).report(List.of()));
        assertThat(counts.ofNetwork("192.0.2.1")).isZero();
    }

    @Test
    void aClockThatStepsKeepsNoPlaceBeyondTwoHours() {
        count("192.0.2.1", 3);
        time.jump(Duration.ofDays(-1));
        time.advance(Duration.ofMinutes(121));
        assertThat(counts.ofNetwork("192.0.2.1")).isZero();
        count("192.0.2.1", 1);
        time.jump(Duration.ofDays(1));
        assertThat(counts.ofNetwork("192.0.2.1")).as("a step forward forgets nothing").isEqualTo(1);
    }

    @Test
    void aPlaceBelongsToTheBandOfWhatItsNetworkHadTaken() {
        count("192.0.2.1", 7);
        count("192.0.2.2", 1_100);
        count("198.51.100.1", 1);
        assertThat(Stream.of(PlaceBand.values()).map(counts::total)).containsExactly(11L, 90L, 900L, 107L);
        time.advance(Duration.ofHours(3));
        count("192.0.2.1", 1);
        assertThat(counts.total(PlaceBand.UP_TO_10)).as("it begins anew").isEqualTo(12);
    }

    @Test
    void aSumOfGatesSurvivesItsTravel() {
        count("192.0.2.1", 2);
        PlaceCounts other = new PlaceCounts(time);
        other.count("192.0.2.1");
        other.count("198.51.100.1");
        PlaceSum sum = new PlaceSum(10).add(counts);
        sum.read(new PlaceSum(10).add(other).write());
        assertThat(sum.report(List.of()).addresses().rows())
                .containsExactly(new Row("192.0.2.1", 3), new Row("198.51.100.1", 1));
        assertThat(sum.report(List.of()).places()).isEqualTo(4);
    }

    @Test
    void whatAGateLeavesOffIsTheErrorOfTheSum() {
        for (int n = 0; n < 120; n++) {
            count("192.0.2." + n, n < 2 ? 9 : 4);
        }
        PlaceReport report = new PlaceSum(2).add(counts).report(List.of());
        assertThat(report.addresses().rows()).containsExactly(new Row("192.0.2.0", 9), new Row("192.0.2.1", 9));
        assertThat(report.addresses().error()).isEqualTo(4);
        assertThat(report.networks().error()).isZero();
    }
}
