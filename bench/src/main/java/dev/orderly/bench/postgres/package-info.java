/** Measures the store of many nodes. */
@NullMarked
package dev.orderly.bench.postgres;

import org.jspecify.annotations.NullMarked;
