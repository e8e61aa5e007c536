/** Several real processes on one store, injected faults, and checkers that read the processes' records. */
@NullMarked
package dev.orderly.cluster;

import org.jspecify.annotations.NullMarked;
