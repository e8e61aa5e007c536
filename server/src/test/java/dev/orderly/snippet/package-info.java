/** The Java examples of the README and the pages, compiled. */
@NullMarked
package dev.orderly.snippet;

import org.jspecify.annotations.NullMarked;
