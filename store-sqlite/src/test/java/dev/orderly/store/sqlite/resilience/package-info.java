/** Promises of the SQLite store under faults of clocks, files and disks. */
@NullMarked
package dev.orderly.store.sqlite.resilience;

import org.jspecify.annotations.NullMarked;
