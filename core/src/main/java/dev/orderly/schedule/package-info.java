/**
 * Schedules: lines of time that push a job at every instant, once over all nodes.
 *
 * <p>Start at {@link dev.orderly.schedule.ScheduleEngine}, or at {@link dev.orderly.schedule.Timing} for when.
 */
@NullMarked
package dev.orderly.schedule;

import org.jspecify.annotations.NullMarked;
