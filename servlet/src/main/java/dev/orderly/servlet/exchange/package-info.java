/** Requests that a router of {@code web} serves inside a servlet container: the counterpart of the listeners. */
@Internal(to = "dev.orderly.spring")
@NullMarked
package dev.orderly.servlet.exchange;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;
