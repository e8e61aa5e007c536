/** Random states of stores, and the comparison of a store with its copy. */
@NullMarked
package dev.orderly.testkit.contract.copy;

import org.jspecify.annotations.NullMarked;
