/** Pages of nodes. */
@Internal
@NullMarked
package dev.orderly.dashboard.node;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;
