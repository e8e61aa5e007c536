/** Pages of schedules. */
@NullMarked
package dev.orderly.dashboard.schedule;

import org.jspecify.annotations.NullMarked;
