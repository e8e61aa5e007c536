/**
 * What moves jobs between queues, handlers and the store; an application sees {@link dev.orderly.job.engine.Jobs}.
 * {@link dev.orderly.job.engine.JobClient} pushes and looks, {@link dev.orderly.job.engine.JobWorker} claims, runs and
 * settles.
 */
@NullMarked
package dev.orderly.job.engine;

import org.jspecify.annotations.NullMarked;
