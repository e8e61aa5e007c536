/** The rules of the house, as tests over all modules. */
@NullMarked
package dev.orderly.architecture;

import org.jspecify.annotations.NullMarked;
