/**
 * Rooms for many nodes: one Redis or Valkey. {@link dev.orderly.store.redis.Redis} opens it.
 *
 * <p>Every call is one script. The scripts are the rules of {@code RoomStateMachine} in Lua, read from this
 * package's resources; Redis runs one at a time, so all gates see the same room. All keys of a room share a hash tag, so
 * they lie on one node of a cluster. Nothing of a room is kept in memory but what is asked for again and again and changes
 * seldom.
 */
@NullMarked
package dev.orderly.store.redis;

import org.jspecify.annotations.NullMarked;
