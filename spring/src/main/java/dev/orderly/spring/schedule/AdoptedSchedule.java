package dev.orderly.spring.schedule;

import dev.orderly.schedule.ScheduleName;
import dev.orderly.schedule.Timing;

/**
 * A schedule of Spring that Orderly runs.
 *
 * @param where class and method, for messages
 * @param task calls the method
 */
record AdoptedSchedule(ScheduleName name, Timing timing, String where, Runnable task) {}
