/** Pages of nodes. */
@NullMarked
package dev.orderly.dashboard.node;

import org.jspecify.annotations.NullMarked;
