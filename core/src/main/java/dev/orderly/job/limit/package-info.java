/**
 * The rules of limits over all nodes: how many jobs a limit lets start now. Stores that one process owns keep them in a
 * {@link dev.orderly.job.limit.LimitTable}.
 */
@Internal(to = "dev.orderly")
@NullMarked
package dev.orderly.job.limit;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;
