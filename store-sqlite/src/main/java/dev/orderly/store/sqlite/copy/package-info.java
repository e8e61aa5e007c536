/** The port of copies: records of the tables, read on read-only connections and written by the writer. */
@Internal
@NullMarked
package dev.orderly.store.sqlite.copy;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;
