/** Updates of open pages: regions that changed, by one event stream a page. */
@Internal
@NullMarked
package dev.orderly.dashboard.update;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;
