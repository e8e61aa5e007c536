/**
 * The number of visitors that a room may admit, recomputed every second from external signals: {@link
 * dev.orderly.room.govern.Governor}.
 */
@Internal(to = "dev.orderly.rehearsal")
@NullMarked
package dev.orderly.room.govern;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;
