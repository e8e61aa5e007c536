package dev.orderly.store.sqlite;

import java.sql.SQLException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A call of {@link dev.orderly.room.RoomStore}. One that writes changes the state machines with the transaction; {@link Rooms}
 * takes that back if the transaction fails.
 */
final class AskRooms<T> extends Request<T> {
    private final Kind kind;
    private final int weight;
    private final Work<T> work;
    private @Nullable T made;

    /** What is asked of the rooms. */
    @FunctionalInterface
    interface Work<T> {
        T on(Rooms rooms) throws SQLException;
    }

    /**
     * @param kind {@link Kind#SHARED}, or {@link Kind#LIGHT} if nothing that is kept changes
     * @param weight how many visitors it is about
     */
    AskRooms(Kind kind, int weight, Work<T> work) {
        this.kind = kind;
        this.weight = Math.max(1, weight);
        this.work = work;
    }

    @Override
    Kind kind() {
        return kind;
    }

    @Override
    int weight() {
        return weight;
    }

    @Override
    void write(Desk desk) throws SQLException {
        made = ask(desk);
    }

    @Override
    T answer(Desk desk) throws SQLException {
        return kind == Kind.LIGHT ? ask(desk) : Objects.requireNonNull(made, "Answered before it was written");
    }

    private T ask(Desk desk) throws SQLException {
        try {
            return work.on(desk.rooms);
        } catch (Rooms.Unread e) {
            throw e.reason();
        }
    }
}
