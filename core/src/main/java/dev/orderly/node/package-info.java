/** The nodes that share a store, as they report themselves to each other. */
@NullMarked
package dev.orderly.node;

import org.jspecify.annotations.NullMarked;
