/** Pages that find jobs, dead letters by error, and groups; and bulk operations on what was found. */
@Internal
@NullMarked
package dev.orderly.dashboard.search;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;
