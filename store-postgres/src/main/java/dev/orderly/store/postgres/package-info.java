/**
 * The store of many nodes: one PostgreSQL database, a schema of its own. {@link dev.orderly.store.postgres.Postgres}
 * opens it.
 *
 * <p>Every call is one {@link dev.orderly.store.postgres.Transactions transaction} of a few statements, whatever the
 * size of its batch. Nothing about a job is kept in memory: all nodes see the same.
 *
 * <p>Locks are always taken in this order, each kind by its key, so that no two calls wait for each other in a circle:
 * nodes, lanes (the groups of FIFO queues), jobs, remembered keys. Whoever changes a job of a group holds its lane.
 */
@NullMarked
package dev.orderly.store.postgres;

import org.jspecify.annotations.NullMarked;
