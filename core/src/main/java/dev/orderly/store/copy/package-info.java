/** The copy of one store into another: typed records, the port of each store, and the copy itself. */
@NullMarked
package dev.orderly.store.copy;

import org.jspecify.annotations.NullMarked;
