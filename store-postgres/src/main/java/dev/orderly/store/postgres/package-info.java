/**
 * The store of many nodes: one PostgreSQL database, a schema of its own. {@link
 * dev.orderly.store.postgres.PostgresStore} opens it.
 *
 * <p>A call is one {@link dev.orderly.store.postgres.sql.Transactions transaction} of a few statements, whatever the size of
 * its batch. Exceptions: upkeep is one transaction for each of its steps, the first push to a new queue commits the queue
 * first, and a batch that waited in vain for the locks of another transaction is tried once more without the blocked part.
 *
 * <p>No job and no state of a job is kept in memory. What is kept can be read again at any time: the numbers of queues, the
 * place at which a node's next claim begins to look, and the revoked visitors of each room.
 *
 * <p>Locks are always taken in this order, each kind by its key, so that no two calls wait for each other in a circle:
 * nodes, lanes (the groups of FIFO queues), jobs, remembered keys. Whoever changes a job of a group holds its lane.
 */
@NullMarked
package dev.orderly.store.postgres;

import org.jspecify.annotations.NullMarked;
