/** Redriving and cancelling many jobs: counted first, then done in parts, with progress and a stop. */
@Internal(to = "dev.orderly")
@NullMarked
package dev.orderly.job.bulk;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;
