/** The last hour in small, for lists. */
@NullMarked
package dev.orderly.dashboard.trend;

import org.jspecify.annotations.NullMarked;
