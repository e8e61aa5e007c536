package dev.orderly.testkit.room;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orderly.Orderly;
import dev.orderly.room.Limits;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.gate.Room;
import dev.orderly.room.gate.Rooms;
import dev.orderly.room.gate.ShownTokens;
import dev.orderly.room.gate.Visit;
import dev.orderly.room.gate.VisitorPresence;
import dev.orderly.room.gate.VisitorQuery;
import dev.orderly.room.token.TokenKeys;
import dev.orderly.testkit.MemoryStore;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The rooms that applications declare at their instances. */
@Timeout(120)
class RoomsOfInstancesTest {
    private static final RoomName SALE = new RoomName("sale");
    private static final TokenKeys KEYS = TokenKeys.of(List.of(new byte[32]));

    private final MemoryStore store = new MemoryStore();
    private final Orderly east = Orderly.open(store);
    private final Orderly west = Orderly.open(store.beside());

    @AfterEach
    void close() {
        west.close();
        east.close();
    }

    private static Visit arrive(Room room) {
        return room.visits().arrive(ShownTokens.NONE, () -> "198.51.100.1", true).stage().toCompletableFuture().join();
    }

    @Test
    void anInstanceKnowsTheVisitorsWhomAnotherOneSees() {
        east.start();
        west.start();
        await().atMost(Duration.ofSeconds(60)).until(() -> west.nodes().size() == 2);
        try (Rooms here = east.rooms(KEYS); Rooms there = west.rooms(KEYS)) {
            Room seen = here.declare(SALE, RoomOptions.of(new Limits(1, null)));
            there.declare(SALE, RoomOptions.of(new Limits(1, null)));
            here.start();
            there.start();
            assertThat(arrive(seen)).isInstanceOf(Visit.Admitted.class);
            assertThat(arrive(seen)).isInstanceOf(Visit.Waiting.class);
            VisitorPresence known = there.diagnose(SALE, new VisitorQuery.ByPlace(2)).presence();
            assertThat(known.gate()).isNotNull();
            assertThat(known.until()).isNotNull();
        }
    }

    @Test
    void theRoomsOfAnInstanceAreMadeOnceUntilTheyAreClosed() {
        try (Rooms rooms = east.rooms(KEYS)) {
            assertThatThrownBy(() -> east.rooms(KEYS)).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("has rooms already");
            assertThat(rooms.rooms()).isEmpty();
        }
        try (Rooms again = east.rooms(KEYS)) {
            assertThat(again.declare(SALE, RoomOptions.of(new Limits(1, null))).name()).isEqualTo(SALE);
        }
    }
}
