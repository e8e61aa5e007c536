package dev.orderly.servlet;

import dev.orderly.Orderly;
import dev.orderly.access.control.AccessControl;
import dev.orderly.access.control.AccessOptions;
import dev.orderly.dashboard.Dashboard;
import dev.orderly.room.Limits;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.gate.Room;
import dev.orderly.room.gate.RoomEngine;
import dev.orderly.room.gate.RoomSignals;
import dev.orderly.room.token.RoomTokens;
import dev.orderly.room.token.TokenKeys;
import dev.orderly.servlet.room.RoomFilter;
import dev.orderly.servlet.room.RoomFilterOptions;
import dev.orderly.testkit.MemoryStore;
import dev.orderly.testkit.contract.api.PublicApiContract;
import dev.orderly.time.Time;
import dev.orderly.web.room.GatedRoom;
import dev.orderly.web.room.RoomMatch;
import dev.orderly.web.room.page.PageLook;
import dev.orderly.web.room.page.PageTemplate;
import dev.orderly.web.room.page.WaitingPage;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

/** The public API of the parts in a servlet container. */
class ServletApiTest extends PublicApiContract {
    private final MemoryStore store = new MemoryStore();
    private final Orderly orderly = Orderly.open(store);

    ServletApiTest() {
        super(RoomFilter.class, 20);
        RoomEngine rooms = new RoomEngine(store.rooms(),
                new RoomTokens(TokenKeys.of(List.of(new byte[32]))), Time.system());
        Room room = rooms.declare(new RoomName("sale"), RoomOptions.of(new Limits(1, null)), RoomSignals.none());
        WaitingPage page = new WaitingPage(room.name(), PageLook.titled("The sale"), PageTemplate.standard());
        GatedRoom gated = GatedRoom.of(room, RoomMatch.of("/**"), page);
        AccessControl access = new AccessControl(store.credentials(), store.audit(), Time.system(),
                AccessOptions.DEFAULT);
        samples().with(rooms, gated, RoomFilterOptions.defaults(), orderly, orderly.engines().live(),
                new Dashboard.Sources(orderly, rooms, access.audit()), "/orderly");
    }

    @AfterEach
    void close() {
        orderly.close();
    }
}
