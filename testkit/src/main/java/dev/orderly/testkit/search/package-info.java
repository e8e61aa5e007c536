/** Search by a plain filter over all jobs: that of the memory store, and the model of the others. */
@Internal(to = "dev.orderly.testkit")
@NullMarked
package dev.orderly.testkit.search;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;
