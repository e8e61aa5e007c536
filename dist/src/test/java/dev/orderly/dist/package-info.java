/** The packages, run as an operator runs them: without root and without a network. */
@NullMarked
package dev.orderly.dist;

import org.jspecify.annotations.NullMarked;
