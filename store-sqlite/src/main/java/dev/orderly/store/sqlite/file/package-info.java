/** The database file: connections, ownership, files beside it, and errors of SQLite. */
@Internal
@NullMarked
package dev.orderly.store.sqlite.file;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;
