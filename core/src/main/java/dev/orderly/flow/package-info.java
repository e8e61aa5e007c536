/**
 * Flow of work without knowledge of jobs and rooms: group commits, loops and threads, rate limits, quotas and meters.
 */
@Internal(to = "dev.orderly")
@NullMarked
package dev.orderly.flow;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;
