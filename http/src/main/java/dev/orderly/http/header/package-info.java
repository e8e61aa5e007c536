/** What header values say: blanks, weights, preferences. */
@NullMarked
package dev.orderly.http.header;

import org.jspecify.annotations.NullMarked;
