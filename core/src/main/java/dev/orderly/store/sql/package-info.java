/** How values of the domain are written to SQL columns, for stores that keep them in a SQL database. */
@NullMarked
package dev.orderly.store.sql;

import org.jspecify.annotations.NullMarked;
