/**
 * The embedded default store: one SQLite file, owned by one process. Start at {@link
 * dev.orderly.store.sqlite.SqliteStore}.
 *
 * <p>Calls become {@link dev.orderly.store.sqlite.writer.WriteRequest requests} in the {@link dev.orderly.store.sqlite.writer.RequestQueue};
 * the {@link dev.orderly.store.sqlite.writer.Writer}, one thread, puts those that wait into one transaction and serves them
 * from the {@link dev.orderly.store.sqlite.state.WriterState}: the tables, and in memory what is claimed and who is next ({@link
 * dev.orderly.store.sqlite.state.QueueIndex}). {@link dev.orderly.store.sqlite.view.SqliteJobViews} read on connections of their own.
 */
@NullMarked
package dev.orderly.store.sqlite;

import org.jspecify.annotations.NullMarked;
