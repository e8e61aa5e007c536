/** Pages of queues. */
@NullMarked
package dev.orderly.dashboard.queue;

import org.jspecify.annotations.NullMarked;
