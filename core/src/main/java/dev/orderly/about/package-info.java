/** What a running server tells about itself: its configuration in force, its listeners, its store. */
@Internal(to = {"dev.orderly.config", "dev.orderly.dashboard", "dev.orderly.http", "dev.orderly.server"})
@NullMarked
package dev.orderly.about;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;
