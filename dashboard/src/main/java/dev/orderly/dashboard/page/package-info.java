/** What all pages of the dashboard share: layout, templates, assets, and one way to write each kind of figure. */
@NullMarked
package dev.orderly.dashboard.page;

import org.jspecify.annotations.NullMarked;
