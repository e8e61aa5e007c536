/** Orderly: waiting lines in front of scarce resources. Start at {@link dev.orderly.Orderly}. */
@NullMarked
package dev.orderly;

import org.jspecify.annotations.NullMarked;
