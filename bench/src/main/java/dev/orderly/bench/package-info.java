/** Measurements of Orderly against a bare log in the same run; every figure is primarily a ratio. */
@NullMarked
package dev.orderly.bench;

import org.jspecify.annotations.NullMarked;
