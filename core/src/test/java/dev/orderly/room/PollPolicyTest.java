package dev.orderly.room;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.room.forecast.PeopleAhead;
import dev.orderly.room.forecast.WaitEstimate;
import dev.orderly.room.gate.LinePosition;
import dev.orderly.room.token.Ticket;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.LongSummaryStatistics;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PollPolicyTest {
    private static final PollPolicy POLICY = PollPolicy.DEFAULT;
    private static final long CROWD = 200_000;

    private final Random random = new Random(1);

    private Duration interval(long waitSeconds) {
        return POLICY.interval(Duration.ofSeconds(waitSeconds), VisitorId.random(random));
    }

    @Test
    void aVisitorPollsAfterATenthOfTheWaitOrUpToAThirdLater() {
        for (int n = 0; n < 1_000; n++) {
            assertThat(interval(0)).isBetween(Duration.ofSeconds(2), Duration.ofMillis(2_600));
            assertThat(interval(100)).isBetween(Duration.ofSeconds(10), Duration.ofSeconds(13));
            assertThat(interval(100_000)).isBetween(Duration.ofSeconds(30), Duration.ofSeconds(39));
        }
    }

    @Test
    void whoWaitsForAnOpeningAsksAtHalfTimeAndThenSpreadAfterIt() {
        assertThat(untilOpening(Duration.ofHours(3), CROWD)).isEqualTo(Duration.ofMinutes(5));
        assertThat(untilOpening(Duration.ofMinutes(4), CROWD)).isEqualTo(Duration.ofMinutes(2));
        assertThat(untilOpening(Duration.ofSeconds(31), CROWD)).isEqualTo(Duration.ofSeconds(30));
        Set<Long> seconds = new HashSet<>();
        for (int n = 0; n < 2_000; n++) {
            Duration left = Duration.ofSeconds(25);
            assertThat(untilOpening(left, 0)).isBetween(left.plusMillis(1), left.plusSeconds(2));
            Duration poll = untilOpening(left, CROWD);
            assertThat(poll).isBetween(left.plusMillis(1), left.plusSeconds(30));
            seconds.add(poll.minus(left).toSeconds());
        }
        assertThat(seconds).as("spread over all of the half minute").hasSizeGreaterThan(29);
        assertThat(untilOpening(Duration.ofSeconds(-9), 0)).isBetween(Duration.ofMillis(1), Duration.ofSeconds(2));
    }

    @ParameterizedTest
    @CsvSource({"0, 2", "4000, 2", "20000, 10", "60000, 30", "1000000, 30"})
    void ofACrowdThatWaitsForAnOpeningTwoThousandAskASecondAndASmallOneIsNotSlowedDown(long crowd, int spread) {
        LongSummaryStatistics after = LongStream.range(0, 2_000)
                .map(_ -> untilOpening(Duration.ofSeconds(25), crowd).toMillis() - 25_000).summaryStatistics();
        assertThat(after.getMax()).isBetween(spread * 900L, spread * 1_000L);
    }

    private Duration untilOpening(Duration until, long crowd) {
        return POLICY.untilOpening(until, VisitorId.random(random).low(), crowd);
    }

    @Test
    void visitorsWhoCameTogetherDoNotPollTogether() {
        Set<Duration> intervals = new HashSet<>();
        for (int n = 0; n < 1_000; n++) {
            VisitorId visitor = VisitorId.random(random);
            Duration interval = POLICY.interval(Duration.ofSeconds(100), visitor);
            assertThat(POLICY.interval(Duration.ofSeconds(100), visitor)).isEqualTo(interval);
            intervals.add(interval);
        }
        assertThat(intervals).hasSize(31);
    }

    @Test
    void presenceLastsOneAndAHalfIntervalsAndAtLeastThreeSeconds() {
        assertThat(PollPolicy.presence(PollPolicy.AT_THE_DOOR)).isEqualTo(Duration.ofSeconds(3));
        assertThat(PollPolicy.presence(Duration.ofSeconds(2))).isEqualTo(Duration.ofSeconds(3));
        assertThat(PollPolicy.presence(Duration.ofSeconds(10))).isEqualTo(Duration.ofSeconds(15));
    }

    @Test
    void onlyCalledVisitorsPollEverySecond() {
        RoomState state = States.of(new Limits(10, null)).state();
        assertThat(LinePosition
                .of(ticket(States.CURSOR), state, POLICY, WaitEstimate.unknown(WaitEstimate.Cause.LEARNING),
                        PeopleAhead.known(5))
                .poll()).isEqualTo(Duration.ofSeconds(1));
        assertThat(LinePosition
                .of(ticket(States.CURSOR + 1), state, POLICY, WaitEstimate.unknown(WaitEstimate.Cause.LEARNING),
                        PeopleAhead.known(5))
                .poll())
                .isGreaterThanOrEqualTo(POLICY.least());
    }

    @Test
    void contradictoryBoundsAreRefused() {
        assertThatThrownBy(() -> new PollPolicy(Duration.ofMillis(999), Duration.ofSeconds(30)))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("use 1 s or more");
        assertThatThrownBy(() -> new PollPolicy(Duration.ofSeconds(3), Duration.ofSeconds(2)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new PollPolicy(Duration.ofSeconds(3), Duration.ofSeconds(301)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private Ticket ticket(long place) {
        return new Ticket(new RoomName("sale"), VisitorId.random(random), 1, place, 0, Instant.EPOCH,
                Instant.EPOCH.plusSeconds(60));
    }
}
