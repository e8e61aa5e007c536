/** Pages of queues. */
@Internal
@NullMarked
package dev.orderly.dashboard.queue;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;
