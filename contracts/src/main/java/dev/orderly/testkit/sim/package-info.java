/**
 * A simulation of rooms with up to a million visitors on virtual time, the same for the same seed, checked by a
 * referee.
 */
@NullMarked
package dev.orderly.testkit.sim;

import org.jspecify.annotations.NullMarked;
