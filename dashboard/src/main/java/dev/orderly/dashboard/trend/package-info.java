/** The last hour in small, for lists. */
@Internal
@NullMarked
package dev.orderly.dashboard.trend;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;
