/** Redriving and cancelling many jobs: counted first, then done in parts, with progress and a stop. */
@NullMarked
package dev.orderly.job.bulk;

import org.jspecify.annotations.NullMarked;
