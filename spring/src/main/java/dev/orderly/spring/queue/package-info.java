/** Queues as beans, by the type of their payload and by their name. */
@NullMarked
package dev.orderly.spring.queue;

import org.jspecify.annotations.NullMarked;
