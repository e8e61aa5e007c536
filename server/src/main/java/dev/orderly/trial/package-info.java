/** A trial of a cluster from outside: pushes, disturbances by the operator's commands, and a history for a referee. */
@NullMarked
package dev.orderly.trial;

import org.jspecify.annotations.NullMarked;
