/** Search over jobs, and dead letters by error. */
@NullMarked
package dev.orderly.store.postgres.job.search;

import org.jspecify.annotations.NullMarked;
