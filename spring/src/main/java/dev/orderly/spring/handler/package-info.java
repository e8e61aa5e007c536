/**
 * Handlers that are methods of beans: finding them, passing their arguments, attaching them to their queues. A bean of
 * {@link dev.orderly.spring.handler.HandlerDecorator} puts something around each of them.
 */
@NullMarked
package dev.orderly.spring.handler;

import org.jspecify.annotations.NullMarked;
