/** Bounds on what flows: batches, wake-ups, meters. Knows neither jobs nor rooms. */
@NullMarked
package dev.orderly.flow;

import org.jspecify.annotations.NullMarked;
