package dev.orderly.live;

import java.time.Instant;

/**
 * A user's connection to this node, for operators.
 *
 * @param id unique among the connections of this node; not a secret
 * @param transport as {@link LiveConnection#transport}
 * @param since when it was authenticated, by this node's clock
 */
public record OpenConnection(String id, String transport, Instant since) {}
