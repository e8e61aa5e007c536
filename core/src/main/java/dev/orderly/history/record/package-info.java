/** Records the history of this node: counts in memory, and writes a part a minute beside the work. */
@Internal(to = "dev.orderly.server")
@NullMarked
package dev.orderly.history.record;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;
