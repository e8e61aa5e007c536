/** The page of a job. */
@Internal
@NullMarked
package dev.orderly.dashboard.job;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;
