/** Promises of the PostgreSQL store beside greedy neighbours and broken connections. */
@NullMarked
package dev.orderly.store.postgres.resilience;

import org.jspecify.annotations.NullMarked;
