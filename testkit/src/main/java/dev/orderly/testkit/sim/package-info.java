/** Rooms with up to a million visitors on virtual time, the same run for the same seed, and a referee over them. */
@NullMarked
package dev.orderly.testkit.sim;

import org.jspecify.annotations.NullMarked;
