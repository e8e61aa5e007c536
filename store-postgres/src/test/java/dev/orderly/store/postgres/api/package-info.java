/** The public API of the store as a whole. */
@NullMarked
package dev.orderly.store.postgres.api;

import org.jspecify.annotations.NullMarked;
