/** The statements of the writer, table by table. */
@Internal
@NullMarked
package dev.orderly.store.sqlite.table;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;
