/**
 * Queues, jobs and their engine.
 *
 * <p>Outside in: {@link dev.orderly.job.Queue} and {@link dev.orderly.job.FifoQueue} push, {@link
 * dev.orderly.job.Handler} runs with a {@link dev.orderly.job.Job}, {@link dev.orderly.job.JobClient} moves work
 * between them and the {@link dev.orderly.job.JobStore} port.
 */
@NullMarked
package dev.orderly.job;

import org.jspecify.annotations.NullMarked;
