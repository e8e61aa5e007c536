/**
 * The common part of all stores: failures, messages between nodes, and keys with values. Every other port is beside its
 * users.
 */
@NullMarked
package dev.orderly.store;

import org.jspecify.annotations.NullMarked;
