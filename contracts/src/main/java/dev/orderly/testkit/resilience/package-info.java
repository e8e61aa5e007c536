/**
 * Greedy neighbours: they take the resources on which promises depend, so that tests can check the promises under
 * pressure.
 */
@NullMarked
package dev.orderly.testkit.resilience;

import org.jspecify.annotations.NullMarked;
