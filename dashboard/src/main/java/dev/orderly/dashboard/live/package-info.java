/** Pages of connected users. */
@Internal
@NullMarked
package dev.orderly.dashboard.live;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;
