/** Several real processes on one store, trouble, and checkers that read what the processes wrote down. */
@NullMarked
package dev.orderly.cluster;

import org.jspecify.annotations.NullMarked;
