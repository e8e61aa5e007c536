/** Claims of workers that run elsewhere and pull their jobs. */
@NullMarked
package dev.orderly.job.pull;

import org.jspecify.annotations.NullMarked;
