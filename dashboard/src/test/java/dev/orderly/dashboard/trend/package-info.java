/** Tests. */
@NullMarked
package dev.orderly.dashboard.trend;

import org.jspecify.annotations.NullMarked;
