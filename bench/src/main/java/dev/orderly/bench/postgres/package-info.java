/** Measurements of the stores for many nodes. */
@NullMarked
package dev.orderly.bench.postgres;

import org.jspecify.annotations.NullMarked;
