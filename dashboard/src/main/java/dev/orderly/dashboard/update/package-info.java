/** Updates of open pages: regions that changed, by one event stream a page. */
@NullMarked
package dev.orderly.dashboard.update;

import org.jspecify.annotations.NullMarked;
