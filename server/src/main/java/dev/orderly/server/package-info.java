/** The program put together: which part gets which, in what order they start and stop. */
@NullMarked
package dev.orderly.server;

import org.jspecify.annotations.NullMarked;
