/** Orderly under the public benchmark of PostgreSQL job queues, whose harness is in Python. */
@NullMarked
package dev.orderly.bench.harness;

import org.jspecify.annotations.NullMarked;
