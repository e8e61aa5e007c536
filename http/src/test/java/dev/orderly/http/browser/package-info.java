/** A real browser for tests, here and in other modules. */
@NullMarked
package dev.orderly.http.browser;

import org.jspecify.annotations.NullMarked;
