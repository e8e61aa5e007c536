package dev.orderly.dashboard;

import dev.orderly.Orderly;
import dev.orderly.access.control.AccessControl;
import dev.orderly.access.control.AccessOptions;
import dev.orderly.room.gate.RoomEngine;
import dev.orderly.room.token.RoomTokens;
import dev.orderly.room.token.TokenKeys;
import dev.orderly.testkit.MemoryStore;
import dev.orderly.testkit.contract.api.PublicApiContract;
import dev.orderly.time.Time;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;

/** The public API of the dashboard. */
class DashboardApiTest extends PublicApiContract {
    private final MemoryStore store = new MemoryStore();
    private final Orderly orderly = Orderly.open(store);

    DashboardApiTest() {
        super(Dashboard.class, 5);
        AccessControl access = new AccessControl(store.credentials(), store.audit(), Time.system(),
                AccessOptions.DEFAULT);
        samples().with(orderly, access.audit(),
                new RoomEngine(store.rooms(), new RoomTokens(TokenKeys.of(List.of(new byte[32]))), Time.system()));
        Stream.of("audit", "batch", "chart", "job", "layout", "live", "node", "overview", "queue", "room", "schedule",
                "search",
                "server").forEach(
                        each -> except("made of a template", "dev.orderly.dashboard.template." + each + ".*"));
    }

    @AfterEach
    void close() {
        orderly.close();
    }
}
