package dev.orderly.testkit.node;

import dev.orderly.node.NodeWork;

/** The work of a node that has none. */
public record IdleNode() implements NodeWork {
    @Override
    public int running() {
        return 0;
    }

    @Override
    public int users() {
        return 0;
    }

    @Override
    public boolean isDraining() {
        return false;
    }

    @Override
    public void drain(boolean on) {}
}
