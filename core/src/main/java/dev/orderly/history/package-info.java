/**
 * Figures of queues and rooms over time: the values, the port that every store of jobs implements, and the
 * series that pages and the API show.
 */
@NullMarked
package dev.orderly.history;

import org.jspecify.annotations.NullMarked;
