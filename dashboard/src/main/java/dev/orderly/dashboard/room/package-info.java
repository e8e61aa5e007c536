/** Pages of rooms. */
@Internal(to = {"dev.orderly.server", "dev.orderly.servlet"})
@NullMarked
package dev.orderly.dashboard.room;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;
