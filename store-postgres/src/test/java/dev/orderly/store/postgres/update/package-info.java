/** The update of a schema of an earlier version, beside nodes of that version at work. */
@NullMarked
package dev.orderly.store.postgres.update;

import org.jspecify.annotations.NullMarked;
