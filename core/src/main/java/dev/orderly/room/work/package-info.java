/** Proofs of work before a place, in the format of ALTCHA: {@link dev.orderly.room.work.WorkChallenge}. */
@NullMarked
package dev.orderly.room.work;

import org.jspecify.annotations.NullMarked;
