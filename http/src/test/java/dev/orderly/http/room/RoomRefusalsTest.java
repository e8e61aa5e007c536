package dev.orderly.http.room;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.room.AddressLimits;
import dev.orderly.room.Limits;
import dev.orderly.room.Rate;
import dev.orderly.room.RoomMode;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.gate.RoomRefusals;
import dev.orderly.room.gate.RoomRefusals.Cause;
import dev.orderly.room.store.RoomChange;
import dev.orderly.web.browser.Guest;
import dev.orderly.web.edge.TrustedProxies;
import dev.orderly.web.room.RoomMatch;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Every kind of refusal is counted with its cause. */
class RoomRefusalsTest {
    private final RoomOptions few = RoomOptions.of(new Limits(100, null))
            .withAddresses(new AddressLimits(new Rate(3, Duration.ofMinutes(1)), 1, 1));
    private final RoomNode node = new RoomNode(few, RoomMatch.of("/tickets/**"), TrustedProxies.of("127.0.0.1"));

    @AfterEach
    void close() {
        node.close();
    }

    private Map<Cause, Long> counts() {
        Map<Cause, Long> counts = new EnumMap<>(Cause.class);
        RoomRefusals refusals = node.room().visits().refusals();
        for (Cause cause : Cause.values()) {
            long count = refusals.total(cause).count();
            if (count > 0) {
                assertThat(refusals.total(cause).last()).isEqualTo(node.time.now());
                counts.put(cause, count);
            }
        }
        return counts;
    }

    private int from(Guest guest, String address) {
        return guest.send(node.at("/tickets/a").header("X-Forwarded-For", address)).statusCode();
    }

    @Test
    void anAddressThatTakesTooManyPlacesIsCounted() {
        assertThat(from(new Guest(node), "192.0.2.1")).isEqualTo(200);
        assertThat(counts()).isEmpty();
        assertThat(from(new Guest(node), "192.0.2.1")).isEqualTo(503);
        assertThat(counts()).isEqualTo(Map.of(Cause.UNTAKEN_PER_ADDRESS, 1L));
        from(new Guest(node), "192.0.2.1");
        assertThat(from(new Guest(node), "192.0.2.1")).isEqualTo(429);
        assertThat(counts()).isEqualTo(Map.of(Cause.UNTAKEN_PER_ADDRESS, 2L, Cause.JOINS_PER_ADDRESS, 1L));
    }

    @Test
    void aPassFromTooManyAddressesIsCounted() {
        Guest guest = new Guest(node);
        from(guest, "192.0.2.1");
        assertThat(from(guest, "192.0.2.1")).isEqualTo(200);
        from(guest, "192.0.2.2");
        assertThat(counts()).containsEntry(Cause.ADDRESSES_PER_PASS, 1L);
    }

    @Test
    void aVisitorWhomTheModeTurnsAwayIsCounted() {
        node.rooms.change(RoomNode.SALE, new RoomChange.Mode(RoomMode.REJECT));
        node.pass(1);
        assertThat(from(new Guest(node), "192.0.2.1")).isEqualTo(503);
        assertThat(counts()).isEqualTo(Map.of(Cause.MODE, 1L));
    }

    @Test
    void aStoreOutOfReachIsCounted() {
        node.store.failRandomly(1, 1);
        node.pass(3);
        assertThat(from(new Guest(node), "192.0.2.1")).isEqualTo(503);
        assertThat(counts()).containsEntry(Cause.STORE, 1L);
    }

    @Test
    void aForwardedAddressOfAPeerThatIsNoTrustedProxyIsCounted() {
        try (RoomNode bare = new RoomNode(RoomNode.ONE_INSIDE)) {
            new Guest(bare).send(bare.at("/tickets/a").header("X-Forwarded-For", "192.0.2.1"));
            new Guest(bare).send(bare.at("/free").header("X-Forwarded-For", "192.0.2.1"));
            assertThat(bare.room().visits().refusals().total(Cause.FORWARDED_FOR_NOT_TRUSTED).count()).isEqualTo(1);
        }
        from(new Guest(node), "192.0.2.1");
        assertThat(counts()).isEmpty();
    }
}
