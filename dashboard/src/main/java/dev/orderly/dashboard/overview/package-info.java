/** The first page: both halves at once, and what needs attention. */
@Internal
@NullMarked
package dev.orderly.dashboard.overview;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;
