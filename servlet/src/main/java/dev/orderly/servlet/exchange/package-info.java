/** Requests that a router of {@code web} serves inside a servlet container: the counterpart of the listeners. */
@NullMarked
package dev.orderly.servlet.exchange;

import org.jspecify.annotations.NullMarked;
