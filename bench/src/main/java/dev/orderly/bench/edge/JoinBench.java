package dev.orderly.bench.edge;

import dev.orderly.room.AddressLimits;
import dev.orderly.room.Limits;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.gate.Room;
import dev.orderly.room.gate.RoomEngine;
import dev.orderly.room.gate.RoomSignals;
import dev.orderly.room.gate.ShownTokens;
import dev.orderly.room.gate.Visit;
import dev.orderly.room.store.GateId;
import dev.orderly.room.token.RoomTokens;
import dev.orderly.room.token.TokenKeys;
import dev.orderly.store.sqlite.SqliteStore;
import dev.orderly.time.Time;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Objects;

/** Distinct visitors who take durable places on SQLite, or wait, without HTTP. */
public final class JoinBench implements AutoCloseable {
    private final SqliteStore store;
    private final RoomEngine rooms;
    private final Room room;

    /** @param file does not exist yet */
    public JoinBench(Path file) {
        store = SqliteStore.at(file);
        rooms = new RoomEngine(store.rooms(), new RoomTokens(TokenKeys.of(List.of(new byte[32]))), new GateId("bench"),
                Time.system(), new SecureRandom());
        room = rooms.declare(new RoomName("full"),
                RoomOptions.of(new Limits(1, null)).withAddresses(AddressLimits.NONE),
                RoomSignals.none());
        rooms.start();
    }

    /** One visitor, from the arrival to the durable place. Blocks. */
    public void join() {
        room.visits().arrive(ShownTokens.NONE, () -> "", true).stage().toCompletableFuture().join();
    }

    /** The ticket of a visitor who has to wait. Blocks. */
    public ShownTokens ticket() {
        while (true) {
            Visit visit = room.visits().arrive(ShownTokens.NONE, () -> "", true).stage().toCompletableFuture().join();
            if (visit instanceof Visit.Waiting waiting) {
                return new ShownTokens(List.of(Objects.requireNonNull(waiting.token())), List.of());
            }
        }
    }

    /** A waiting visitor who asks again, until the answer has left. */
    public void poll(ShownTokens ticket) {
        if (room.visits().arrive(ticket, () -> "", false).stage().toCompletableFuture()
                .join() instanceof Visit.Waiting waiting) {
            room.visits().answering(waiting).run();
        }
    }

    @Override
    public void close() {
        rooms.close();
        store.close();
    }
}
