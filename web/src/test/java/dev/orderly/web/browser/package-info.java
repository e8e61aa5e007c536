/** A real browser for tests, here and in other modules. */
@NullMarked
package dev.orderly.web.browser;

import org.jspecify.annotations.NullMarked;
