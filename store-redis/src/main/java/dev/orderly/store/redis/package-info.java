/**
 * Rooms, live messages and presence for many nodes: one Redis or Valkey. {@link dev.orderly.store.redis.RedisStore}
 * opens it.
 *
 * <p>A call for a room is one script. The scripts are the rules of {@code RoomStateMachine} in Lua, read from this
 * package's resources. Redis runs one script at a time, so all gates see the same room. All keys of a room share a hash
 * tag, so they lie on one node of a cluster. Memory holds copies only: the names of listed rooms, and the revoked
 * visitors of each room.
 */
@NullMarked
package dev.orderly.store.redis;

import org.jspecify.annotations.NullMarked;
