/** Pages of connected users. */
@NullMarked
package dev.orderly.dashboard.live;

import org.jspecify.annotations.NullMarked;
