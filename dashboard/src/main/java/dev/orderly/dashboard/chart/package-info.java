/** Charts and tables of the history of queues and rooms. */
@Internal
@NullMarked
package dev.orderly.dashboard.chart;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;
