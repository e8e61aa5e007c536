/** Greedy neighbours: what takes the thing that promises share, so that a test can see whether they hold all the same. */
@NullMarked
package dev.orderly.testkit.weather;

import org.jspecify.annotations.NullMarked;
