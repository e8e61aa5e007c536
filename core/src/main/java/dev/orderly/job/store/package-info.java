/**
 * The port every store of jobs implements, with its requests and results: {@link dev.orderly.job.store.JobStore}
 * changes jobs, {@link dev.orderly.job.store.JobViews} looks at them.
 */
@NullMarked
package dev.orderly.job.store;

import org.jspecify.annotations.NullMarked;
