/** Pages about the server: its configuration, and facts. */
@Internal
@NullMarked
package dev.orderly.dashboard.server;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;
