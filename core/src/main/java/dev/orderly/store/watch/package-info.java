/** Whether each part of a store answers this node. */
@NullMarked
package dev.orderly.store.watch;

import org.jspecify.annotations.NullMarked;
