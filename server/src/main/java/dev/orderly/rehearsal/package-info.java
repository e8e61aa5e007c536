/** Rehearsals: a crowd of simulated visitors waits in a room of a configuration, in virtual time. */
@NullMarked
package dev.orderly.rehearsal;

import org.jspecify.annotations.NullMarked;
