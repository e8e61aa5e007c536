/** Rooms for visitors: names, settings, limits and state. Knows nothing of jobs. */
@NullMarked
package dev.orderly.room;

import org.jspecify.annotations.NullMarked;
