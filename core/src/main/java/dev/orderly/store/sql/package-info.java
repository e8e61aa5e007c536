/** How values of the domain are written to SQL columns, for stores that keep them in a SQL database. */
@Internal(to = {"dev.orderly.store", "dev.orderly.testkit"})
@NullMarked
package dev.orderly.store.sql;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;
