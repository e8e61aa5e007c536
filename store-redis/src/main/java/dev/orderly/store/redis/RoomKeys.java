package dev.orderly.store.redis;

import dev.orderly.room.RoomName;
import java.util.List;
import java.util.stream.Stream;

/** The names of the keys. The keys of a room share its name as the hash tag. */
record RoomKeys(String prefix) {
    /** Suffixes of the durable keys, in the order of room.lua. */
    private static final List<String> DURABLE = List.of("room", "pass", "ends", "holders", "used", "used-ends",
            "voided", "window", "moved", "lobby", "users", "owners", "user-ends");
    /**
     * Suffixes of the keys that are dropped after a restart of the server. They follow the durable ones in room.lua.
     */
    private static final List<String> PASSING = List.of("live", "gates", "places", "present", "told", "pace", "leases");

    /** All keys of a room. */
    String[] of(RoomName room) {
        return Stream.concat(DURABLE.stream(), PASSING.stream()).map(each -> key(room, each)).toArray(String[]::new);
    }

    /** The keys of a room that are dropped after a restart of the server. */
    String[] passing(RoomName room) {
        return PASSING.stream().map(each -> key(room, each)).toArray(String[]::new);
    }

    /** The set of the names of all rooms. */
    String names() {
        return prefix + ":rooms";
    }

    private String key(RoomName room, String name) {
        return prefix + ":{" + room.value() + "}:" + name;
    }
}
