/** Measures Orderly against a bare log in one run; every figure is a ratio first. */
@NullMarked
package dev.orderly.bench;

import org.jspecify.annotations.NullMarked;
