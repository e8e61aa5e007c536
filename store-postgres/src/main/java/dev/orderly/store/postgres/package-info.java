/**
 * The store of many nodes: one PostgreSQL database, a schema of its own. {@link
 * dev.orderly.store.postgres.PostgresStore} opens it.
 *
 * <p>A call is one {@link dev.orderly.store.postgres.sql.Transactions transaction} of a few statements, whatever the
 * number of its jobs. Exceptions: upkeep is one transaction for each of its steps, the first push to a new
 * queue commits the queue first, and a call that waited in vain for the locks of another transaction is tried once more
 * without the blocked part.
 *
 * <p>Memory holds no job and no state of a job, only copies that can be read again at any time: the numbers of queues,
 * the cursors of a node's claims, and the revoked visitors of each room.
 *
 * <p>Locks are always taken in this order, each kind by its key, so that calls cannot deadlock: nodes, lanes (the
 * groups of FIFO queues), jobs, remembered keys. A change of a job of a group holds the lock of its lane.
 */
@NullMarked
package dev.orderly.store.postgres;

import org.jspecify.annotations.NullMarked;
