/** Promises of the engine beside greedy neighbours, on the store in memory. */
@NullMarked
package dev.orderly.testkit.weather;

import org.jspecify.annotations.NullMarked;
