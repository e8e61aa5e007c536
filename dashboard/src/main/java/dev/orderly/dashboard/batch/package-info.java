/** Pages of batches. */
@Internal
@NullMarked
package dev.orderly.dashboard.batch;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;
