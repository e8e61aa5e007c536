/** The statements of the writer, one class per table. */
@Internal
@NullMarked
package dev.orderly.store.sqlite.table;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;
