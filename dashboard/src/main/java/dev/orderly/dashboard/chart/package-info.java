/** Charts and tables of the history of queues and rooms. */
@NullMarked
package dev.orderly.dashboard.chart;

import org.jspecify.annotations.NullMarked;
