package dev.orderly.store.postgres.room;

import dev.orderly.room.RoomName;
import dev.orderly.room.VisitorId;
import dev.orderly.room.store.JoinRequest;
import dev.orderly.room.store.JoinResult;
import dev.orderly.room.store.UserJoin;
import dev.orderly.store.postgres.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Calls of the functions in {@code user-calls.sql}, in one transaction at one moment. */
record UserFunctions(Connection connection, Instant now) {
    /** @param stays whether a gate out of reach may let the ended stay go on */
    record Held(VisitorId visitor, long place, long ahead, Instant until, boolean stays) {}

    /** @param joins of users, none twice */
    List<JoinResult> join(RoomName room, List<JoinRequest> joins) throws SQLException {
        List<UserJoin> users = users(joins);
        rekey(room, users);
        return call("SELECT * FROM room_join_users(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", room)
                .uuids(joins.stream().map(join -> RoomFunctions.column(join.visitor())).toList())
                .longs(millis(joins, JoinRequest::presentUntil)).longs(millis(joins, JoinRequest::passUntil))
                .texts(Arrays.asList(joins.stream().map(JoinRequest::leaf).toArray(String[]::new)))
                .texts(Arrays.asList(joins.stream().map(JoinRequest::tier).toArray(String[]::new)))
                .uuids(users.stream().map(user -> RoomFunctions.column(user.user())).toList())
                .longs(millis(users, UserJoin::until)).longs(millis(users, UserJoin::voidUntil)).list(row -> {
                    long epoch = row.getLong(1);
                    Long[] places = (Long[]) row.getArray(2).getArray();
                    Long[] ahead = (Long[]) row.getArray(3).getArray();
                    UUID[] holders = (UUID[]) row.getArray(4).getArray();
                    Long[] ends = (Long[]) row.getArray(5).getArray();
                    return IntStream.range(0, places.length).<JoinResult>mapToObj(n -> holders[n] != null
                            ? new JoinResult.Shared(epoch, places[n], RoomFunctions.visitor(holders[n]), ahead[n],
                                    Instant.ofEpochMilli(ends[n]))
                            : ahead[n] < 0
                                    ? new JoinResult.Entered(epoch, places[n], joins.get(n).passUntil())
                                    : new JoinResult.Placed(epoch, places[n], ahead[n]))
                            .toList();
                }).getFirst();
    }

    private static List<UserJoin> users(List<JoinRequest> joins) {
        return joins.stream().map(join -> Objects.requireNonNull(join.user())).toList();
    }

    /** The place that a user has; null for none. */
    @Nullable
    Held held(RoomName room, UserJoin user) throws SQLException {
        rekey(room, List.of(user));
        return call("SELECT * FROM room_user(?, ?, ?)", room).with(RoomFunctions.column(user.user())).list(row -> {
            UUID holder = row.getObject(1, UUID.class);
            return holder == null
                    ? Optional.<Held>empty()
                    : Optional.of(new Held(RoomFunctions.visitor(holder), row.getLong(2), row.getLong(3),
                            Instant.ofEpochMilli(row.getLong(4)), row.getBoolean(5)));
        }).getFirst().orElse(null);
    }

    /** Records a place that an invitation gave to its user. */
    void give(RoomName room, JoinRequest join, UserJoin user, JoinResult result) throws SQLException {
        call("SELECT room_give(?, ?, ?, ?, ?, ?, ?, ?)", room).uuids(List.of(RoomFunctions.column(user.user())))
                .uuids(List.of(RoomFunctions.column(join.visitor()))).longs(List.of(result.place()))
                .longs(List.of(result instanceof JoinResult.Placed placed ? placed.ahead() : 0L))
                .longs(millis(List.of(user), UserJoin::until)).longs(millis(List.of(user), UserJoin::voidUntil))
                .list(_ -> true);
    }

    /** Gives places that are kept under hashes by other keys to the present hashes, under the lock of the room. */
    private void rekey(RoomName room, List<UserJoin> users) throws SQLException {
        if (users.stream().allMatch(user -> user.others().isEmpty())) {
            return;
        }
        call("SELECT room_touch(?, ?)", room).list(_ -> true);
        for (UserJoin user : users) {
            for (VisitorId other : user.others()) {
                new Sql(connection, """
                        UPDATE user_place u SET who = ? FROM room r WHERE r.name = ? AND u.line = r.line AND u.who = ?
                          AND NOT EXISTS(SELECT FROM user_place o WHERE o.line = r.line AND o.who = ?)""")
                        .with(RoomFunctions.column(user.user())).with(room.value()).with(RoomFunctions.column(other))
                        .with(RoomFunctions.column(user.user())).update();
            }
        }
    }

    private Sql call(String text, RoomName room) {
        return new Sql(connection, text).with(room.value()).with(now.toEpochMilli());
    }

    private static <T> List<Long> millis(List<T> of, Function<T, Instant> moment) {
        return of.stream().map(each -> moment.apply(each).toEpochMilli()).toList();
    }
}
