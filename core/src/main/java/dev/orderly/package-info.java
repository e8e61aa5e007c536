/**
 * Orderly: a line in front of what is scarce. Start at {@link dev.orderly.Orderly}.
 */
@NullMarked
package dev.orderly;

import org.jspecify.annotations.NullMarked;
