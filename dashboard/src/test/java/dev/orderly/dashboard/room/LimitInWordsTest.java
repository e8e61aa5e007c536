package dev.orderly.dashboard.room;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.room.Limits;
import dev.orderly.room.Opening;
import dev.orderly.room.Openings;
import dev.orderly.room.Rate;
import dev.orderly.room.RoomMode;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.RoomState;
import dev.orderly.room.RoomState.Line;
import dev.orderly.room.RoomState.Load;
import dev.orderly.room.RoomState.Pace;
import dev.orderly.room.SlowdownReason;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LimitInWordsTest {
    private static final Limits SET = new Limits(10, new Rate(5, Duration.ofSeconds(15)));

    @Test
    void theLimitThatIsReachedIsNamed() {
        assertThat(words(RoomMode.AUTO, SET, SlowdownReason.NO, 10, 0)).contains("capacity sets the pace", "10 places");
        assertThat(words(RoomMode.AUTO, SET, SlowdownReason.NO, 4, 0)).contains("rate sets the pace", "5 visitors");
        assertThat(words(RoomMode.AUTO, new Limits(0, null), SlowdownReason.NO, 0, 0)).contains("nobody enters");
        assertThat(words(RoomMode.AUTO, SET, SlowdownReason.NO, 4, 3)).contains("Admissions are free");
    }

    @Test
    void aSlowedRoomSaysWhyAndWhatIsInForceInstead() {
        Limits tighter = new Limits(3, SET.rate());
        assertThat(words(RoomMode.AUTO, tighter, SlowdownReason.HEALTH, 3, 0)).contains("slow or fails",
                "capacity 3, rate 5 per 15s instead of capacity 10", "all 3 places");
        assertThat(words(RoomMode.AUTO, tighter, SlowdownReason.BACKLOG, 1, 1)).contains("piles up");
    }

    @Test
    void aModeThatOverrulesTheLimitsIsNamed() {
        assertThat(words(RoomMode.HOLD, SET, SlowdownReason.NO, 4, 0)).contains("holds the line");
        assertThat(words(RoomMode.OPEN, SET, SlowdownReason.NO, 4, 0)).contains("Everybody passes");
        assertThat(words(RoomMode.REJECT, SET, SlowdownReason.NO, 4, 0)).contains("turned away");
        assertThat(words(RoomMode.DRAIN, SET, SlowdownReason.NO, 10, 0)).contains("Nobody new", "capacity sets");
    }

    @Test
    void anOpeningComesBeforeTheLimits() {
        Opening window = new Opening(Instant.EPOCH.plusSeconds(60).atZone(ZoneOffset.UTC), Duration.ofSeconds(60),
                Instant.EPOCH.plusSeconds(120).atZone(ZoneOffset.UTC), null);
        RoomOptions options = RoomOptions.of(SET).withOpenings(new Openings(List.of(window), false));
        assertThat(LimitInWords.of(at(Instant.EPOCH), options)).isEqualTo("Nobody new enters until the room opens.");
        assertThat(LimitInWords.of(at(Instant.EPOCH.plusSeconds(60)), options)).contains("capacity is 0");
        assertThat(LimitInWords.of(at(Instant.EPOCH.plusSeconds(120)), options)).contains("last opening is over");
    }

    private static RoomState at(Instant moment) {
        return new RoomState(new RoomName("sale"), 1, RoomMode.AUTO, null, new Line(20, 12, 20, true),
                new Load(0, 0, 0, 8, 0, 1), new Pace(0, 0, 0, 0, 12), Limits.CLOSED, SlowdownReason.NO, null, Map.of(),
                Set.of(), moment);
    }

    private static String words(RoomMode mode, Limits inForce, SlowdownReason slowed, int inside, int free) {
        RoomState state = new RoomState(new RoomName("sale"), 1, mode, null, new Line(20, 12, 20, true),
                new Load(inside, free, 0, 8, 0, 1), new Pace(0, 0, 0, 0, 12), inForce, slowed, null, Map.of(), Set.of(),
                Instant.EPOCH);
        return LimitInWords.of(state, RoomOptions.of(SET));
    }
}
