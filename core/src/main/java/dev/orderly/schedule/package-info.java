/**
 * Schedules: each pushes a job at every instant of its timing, once over all nodes.
 *
 * <p>Start at {@link dev.orderly.schedule.Schedules}, or at {@link dev.orderly.schedule.Timing} for the syntax of
 * timings.
 */
@NullMarked
package dev.orderly.schedule;

import org.jspecify.annotations.NullMarked;
