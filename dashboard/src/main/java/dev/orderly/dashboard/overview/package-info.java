/** The first page: both halves at once, and what needs attention. */
@NullMarked
package dev.orderly.dashboard.overview;

import org.jspecify.annotations.NullMarked;
