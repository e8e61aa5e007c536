package dev.orderly.store.redis;

import io.lettuce.core.api.StatefulRedisConnection;

/**
 * A connection to a server process.
 *
 * @param run id of the process's run, which changes with each restart; empty if the user may not read it
 */
record ServerLink(StatefulRedisConnection<String, String> connection, String run, ReplicaWaits waits) {}
