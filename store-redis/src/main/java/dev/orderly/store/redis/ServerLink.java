package dev.orderly.store.redis;

import io.lettuce.core.api.StatefulRedisConnection;

/**
 * A connection, to one server process.
 *
 * @param run what this process calls its run, another one after each restart; empty if it does not say
 */
record ServerLink(StatefulRedisConnection<String, String> connection, String run) {}
