/** The files of a database. */
@NullMarked
package dev.orderly.store.sqlite.file;

import org.jspecify.annotations.NullMarked;
