/** What all pages of the dashboard share: layout, templates, assets, and one way to write each kind of figure. */
@Internal
@NullMarked
package dev.orderly.dashboard.page;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;
