/**
 * Queues and jobs as an application uses them. {@link dev.orderly.job.StandardQueue} and {@link
 * dev.orderly.job.FifoQueue} push, a {@link dev.orderly.job.Handler} runs with a {@link dev.orderly.job.Job}.
 */
@NullMarked
package dev.orderly.job;

import org.jspecify.annotations.NullMarked;
