/** Calls of several nodes whose statements, also those inside functions, run in an order that a seed decides. */
@NullMarked
package dev.orderly.store.postgres.interleaving;

import org.jspecify.annotations.NullMarked;
