/** The text of a configuration, before anything is known about its meaning. */
@Internal
@NullMarked
package dev.orderly.config.source;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;
