/** Records the history of this node: counts in memory, and writes a part a minute beside the work. */
@NullMarked
package dev.orderly.history.record;

import org.jspecify.annotations.NullMarked;
