/** Pages of rooms. */
@NullMarked
package dev.orderly.dashboard.room;

import org.jspecify.annotations.NullMarked;
