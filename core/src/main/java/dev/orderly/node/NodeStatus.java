package dev.orderly.node;

import java.time.Duration;

/**
 * A node as this node knows it.
 *
 * @param report its last report
 * @param age time since that report; zero for this node itself
 * @param self whether it is this node
 * @param silent whether reports are missing for longer than a live node needs: the node was killed, is suspended, or is
 *     cut off from the store
 */
public record NodeStatus(NodeReport report, Duration age, boolean self, boolean silent) {}
