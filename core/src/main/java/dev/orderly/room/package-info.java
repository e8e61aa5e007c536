/** Visitors: rooms, places in their lines, admission. Knows nothing of jobs. */
@NullMarked
package dev.orderly.room;

import org.jspecify.annotations.NullMarked;
