/**
 * The port every store of rooms implements, with its requests and results: {@link dev.orderly.room.store.RoomStore}.
 */
@NullMarked
package dev.orderly.room.store;

import org.jspecify.annotations.NullMarked;
