/** The common part of all stores: failures, and messages between nodes. Each port is beside its users. */
@NullMarked
package dev.orderly.store;

import org.jspecify.annotations.NullMarked;
