/** Tests. */
@NullMarked
package dev.orderly.dashboard.update;

import org.jspecify.annotations.NullMarked;
