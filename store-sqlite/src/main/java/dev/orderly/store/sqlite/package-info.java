/**
 * The embedded default store: one SQLite file, owned by one process. Entry point:
 * {@link dev.orderly.store.sqlite.SqliteStore}.
 *
 * <p>Calls of the ports become {@link dev.orderly.store.sqlite.writer.WriteRequest requests} in the
 * {@link dev.orderly.store.sqlite.writer.RequestQueue}; the {@link dev.orderly.store.sqlite.writer.Writer}, one thread,
 * commits the waiting requests in one transaction. It uses the {@link dev.orderly.store.sqlite.state.WriterState}: the
 * tables, and in memory the claimed jobs and the next jobs of each queue
 * ({@link dev.orderly.store.sqlite.state.QueueIndex}). {@link dev.orderly.store.sqlite.view.SqliteJobViews} read on
 * separate connections.
 */
@NullMarked
package dev.orderly.store.sqlite;

import org.jspecify.annotations.NullMarked;
