/**
 * Search over the jobs of a store, dead letters by error, and groups of FIFO queues: questions of an operator, each
 * with a bound on the work of its answer. {@link dev.orderly.job.search.JobFinder} is the port.
 */
@NullMarked
package dev.orderly.job.search;

import org.jspecify.annotations.NullMarked;
