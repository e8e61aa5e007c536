/** Rates, processor time, memory and latencies of runs, and the database that is measured. */
@NullMarked
package dev.orderly.bench.measure;

import org.jspecify.annotations.NullMarked;
