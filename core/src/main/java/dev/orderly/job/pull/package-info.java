/** Claims of workers that run elsewhere and pull their jobs. */
@Internal(to = "dev.orderly")
@NullMarked
package dev.orderly.job.pull;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;
