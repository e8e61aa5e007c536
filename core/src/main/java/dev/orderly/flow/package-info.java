/** Flow of work without knowledge of jobs and rooms: batches, loops and threads, rate limits, quotas and meters. */
@NullMarked
package dev.orderly.flow;

import org.jspecify.annotations.NullMarked;
