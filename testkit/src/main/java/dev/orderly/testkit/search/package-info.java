/** Search by a plain filter over all jobs: that of the memory store, and the model of the others. */
@NullMarked
package dev.orderly.testkit.search;

import org.jspecify.annotations.NullMarked;
