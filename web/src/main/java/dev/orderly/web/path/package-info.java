/** Paths in their normal form, and the patterns and templates that match them. */
@NullMarked
package dev.orderly.web.path;

import org.jspecify.annotations.NullMarked;
