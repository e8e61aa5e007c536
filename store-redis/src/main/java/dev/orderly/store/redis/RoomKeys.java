package dev.orderly.store.redis;

import dev.orderly.room.RoomName;
import java.util.List;
import java.util.stream.Stream;

/** The names of the keys. Those of one room share its name as the hash tag. */
record RoomKeys(String prefix) {
    /** In the order in which room.lua names them. */
    private static final List<String> DURABLE = List.of("room", "pass", "ends", "holders", "used", "used-ends",
            "voided",
            "window");
    /** What nobody knows any more after a restart of the server; after those that are durable. */
    private static final List<String> PASSING = List.of("live", "gates", "places", "present", "told", "pace", "leases");

    /** All keys of a room. */
    String[] of(RoomName room) {
        return Stream.concat(DURABLE.stream(), PASSING.stream()).map(each -> key(room, each)).toArray(String[]::new);
    }

    /** Of these the ones that may be lost. */
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
