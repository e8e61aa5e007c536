package dev.orderly.testkit.room;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.room.AddressLimits;
import dev.orderly.room.Limits;
import dev.orderly.room.Rate;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.forecast.WaitEstimate;
import dev.orderly.room.gate.Room;
import dev.orderly.room.gate.RoomEngine;
import dev.orderly.room.gate.RoomSignals;
import dev.orderly.room.gate.ShownTokens;
import dev.orderly.room.gate.Visit;
import dev.orderly.room.store.GateId;
import dev.orderly.room.token.RoomTokens;
import dev.orderly.room.token.TokenKeys;
import dev.orderly.testkit.ManualTime;
import dev.orderly.testkit.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A gate makes further rounds within a second where visitors leave; they count nothing twice. */
class RoundsTest {
    private static final int SECONDS = 40;
    private static final int VISITORS = 600;

    /** The estimate for a new visitor behind visitors of whom one in twenty gives up each second. */
    private static WaitEstimate estimate(int roundsPerSecond) {
        ManualTime time = new ManualTime();
        RoomEngine engine = new RoomEngine(new MemoryStore().rooms(),
                new RoomTokens(TokenKeys.of(List.of(new byte[32]))),
                new GateId("a"), time, new Random(1)).withCommitsOn(Runnable::run, () -> {});
        Room room = engine.declare(new RoomName("sale"),
                RoomOptions.of(new Limits(null, new Rate(20, Duration.ofSeconds(10))))
                        .withAddresses(AddressLimits.NONE),
                RoomSignals.none());
        engine.step();
        List<ShownTokens> waiting = new ArrayList<>();
        for (int visitor = 0; visitor < VISITORS; visitor++) {
            ask(room, ShownTokens.NONE, waiting);
        }
        for (int second = 0; second < SECONDS; second++) {
            time.advance(Duration.ofSeconds(1));
            List<ShownTokens> asking = List.copyOf(waiting);
            waiting.clear();
            for (int i = 0; i < asking.size(); i++) {
                if (second < SECONDS / 2 || (i + second) % 20 > 0) {
                    ask(room, asking.get(i), waiting);
                }
            }
            for (int round = 0; round < roundsPerSecond; round++) {
                engine.step();
            }
        }
        return room.forNewcomer();
    }

    private static void ask(Room room, ShownTokens shown, List<ShownTokens> waiting) {
        Visit visit = room.visits().arrive(shown, () -> "198.51.100.1", true).stage().toCompletableFuture().join();
        if (visit instanceof Visit.Waiting(_, String token, _)) {
            waiting.add(token == null ? shown : new ShownTokens(List.of(token), List.of()));
        }
    }

    @Test
    void furtherRoundsWithinASecondDoNotChangeTheEstimate() {
        WaitEstimate once = estimate(1);
        assertThat(once.low()).as("%s", once).isNotNull();
        assertThat(estimate(10)).isEqualTo(once);
    }
}
