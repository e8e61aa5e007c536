/** Pages of schedules. */
@Internal
@NullMarked
package dev.orderly.dashboard.schedule;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;
