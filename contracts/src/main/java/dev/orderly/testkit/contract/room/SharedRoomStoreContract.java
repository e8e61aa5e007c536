package dev.orderly.testkit.contract.room;

import static dev.orderly.testkit.contract.room.RoomTrial.PASS;
import static dev.orderly.testkit.contract.room.RoomTrial.SALE;
import static dev.orderly.testkit.contract.room.RoomTrial.capacity;
import static dev.orderly.testkit.contract.room.RoomTrial.waits;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.room.store.AdmissionResult;
import dev.orderly.room.store.GateId;
import dev.orderly.room.store.GateLease;
import dev.orderly.room.store.RoomStore;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * As {@link RoomStoreContract}, for a store that {@linkplain RoomStore#isShared gates of several processes share}: a
 * gate may be unreachable while the store crashes.
 */
public abstract class SharedRoomStoreContract extends RoomStoreContract {
    @Test
    void aSharedStoreSaysThatItIsShared() {
        assertThat(trial().rooms().isShared()).isTrue();
    }

    @Test
    public void leasesLostInACrashOfTheStoreStillCount() {
        List<TicketHolder> line = trial().oneInside();
        trial().lease(new GateId("away"), Duration.ofSeconds(3), GateLease.LONGEST);
        trial().pass(PASS.minusSeconds(10));
        trial().crash();
        trial().open(capacity(1));
        trial().pass(Duration.ofSeconds(10));
        assertThat(trial().admit(line.get(1))).isEqualTo(waits(0));
        trial().pass(GateLease.LONGEST);
        assertThat(trial().admit(line.get(1))).isEqualTo(trial().entered());
    }

    @Test
    public void leasesLostInACrashStillCountIfNobodyHadJoinedBefore() {
        Duration life = Duration.ofSeconds(10);
        trial().open(capacity(1));
        trial().lease(new GateId("away"), Duration.ofSeconds(3), GateLease.LONGEST);
        trial().crash();
        List<TicketHolder> line = trial().called(2, capacity(1));
        assertThat(trial().rooms().admit(SALE, List.of(trial().request(line.get(0), life)), trial().now()))
                .containsExactly(new AdmissionResult.Entered(trial().in(life)));
        trial().pass(life);
        assertThat(trial().admit(line.get(1))).as("an unreachable gate may let the pass go on").isEqualTo(waits(0));
        trial().pass(GateLease.LONGEST);
        assertThat(trial().admit(line.get(1))).isEqualTo(trial().entered());
    }
}
