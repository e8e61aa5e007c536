/** The port of copies: records of the tables, a transaction for each page. */
@Internal
@NullMarked
package dev.orderly.store.postgres.copy;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;
