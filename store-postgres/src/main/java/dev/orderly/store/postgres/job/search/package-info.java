/** Search over jobs, and dead letters by error. */
@Internal
@NullMarked
package dev.orderly.store.postgres.job.search;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;
