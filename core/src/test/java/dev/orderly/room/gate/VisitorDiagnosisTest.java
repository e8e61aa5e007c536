package dev.orderly.room.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.room.Limits;
import dev.orderly.room.Rate;
import dev.orderly.room.RoomMode;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomState;
import dev.orderly.room.SlowdownReason;
import dev.orderly.room.gate.VisitorDiagnosis.Cause;
import dev.orderly.room.gate.VisitorDiagnosis.History;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The causes that come from a state of the room which takes a while to bring about. */
class VisitorDiagnosisTest {
    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final RoomName SALE = new RoomName("sale");
    private static final Limits LIMITS = new Limits(10, new Rate(5, Duration.ofSeconds(15)));

    private static RoomState state(SlowdownReason slowed, int active, int free) {
        return new RoomState(SALE, 1, RoomMode.AUTO, null, new RoomState.Line(30, 12, 30, true),
                new RoomState.Load(active, free, 2, 9, 0, 1), new RoomState.Pace(0, 0, 0, 0, 0), LIMITS, slowed, null,
                Map.of(), Set.of(), NOW);
    }

    private static VisitorDiagnosis of(RoomState state, boolean restarting) {
        return VisitorDiagnosis.waiting(20, state, History.NONE, new GateSightings(
                new VisitorPresence(NOW.plusSeconds(1), false, "gate"), 20L, null, false, restarting, List.of()), NOW);
    }

    @Test
    void aRestartedRoomWaitsForReports() {
        assertThat(of(state(SlowdownReason.NO, 3, 0), true).cause()).isEqualTo(Cause.RESTART);
    }

    @Test
    void aSlowSiteOrABacklogComesBeforeTheLimitThatItLowered() {
        VisitorDiagnosis health = of(state(SlowdownReason.HEALTH, 10, 0), false);
        assertThat(health.cause()).isEqualTo(Cause.HEALTH);
        assertThat(health.sentence()).isEqualTo("Place 20 has 9 visitors ahead; the site is slow or fails, so a"
                + " capacity of 10 and a rate of 5 per 15s is in force.");
        VisitorDiagnosis backlog = of(state(SlowdownReason.BACKLOG, 10, 0), false);
        assertThat(backlog.cause()).isEqualTo(Cause.BACKLOG);
        assertThat(backlog.remedy()).contains("rooms.sale.backlog");
    }

    @Test
    void aPlaceThatIsNotCalledYet() {
        VisitorDiagnosis place = of(state(SlowdownReason.NO, 3, 2), false);
        assertThat(place.cause()).isEqualTo(Cause.PLACE);
        assertThat(place.sentence()).contains("places up to 12 are called");
        assertThat(place.ahead()).isEqualTo(9);
    }
}
