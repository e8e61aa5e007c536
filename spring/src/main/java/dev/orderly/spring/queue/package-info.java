/** Queues as beans, by the type of their payload and by their name. */
@Internal
@NullMarked
package dev.orderly.spring.queue;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;
