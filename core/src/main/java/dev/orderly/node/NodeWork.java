package dev.orderly.node;

import dev.orderly.Internal;

/** The work of this node, as its directory reports and controls it. No method blocks. */
@Internal(to = "dev.orderly")
public interface NodeWork {
    /** The number of jobs whose handler runs here. */
    int running();

    /** The number of users who are connected here. */
    int users();

    /** Whether this node claims no jobs, since an operator asked for it. */
    boolean isDraining();

    /** Ends the claims of this node, and gives back what it claimed ahead; or lets it claim again. */
    void drain(boolean on);
}
