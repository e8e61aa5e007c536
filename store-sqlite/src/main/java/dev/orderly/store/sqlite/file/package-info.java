/** The database file: connections, its owner, its companions, and the errors of SQLite. */
@Internal
@NullMarked
package dev.orderly.store.sqlite.file;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;
