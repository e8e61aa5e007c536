/** Statements, transactions, their errors and time limits, and the schema they work on. */
@Internal
@NullMarked
package dev.orderly.store.postgres.sql;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;
