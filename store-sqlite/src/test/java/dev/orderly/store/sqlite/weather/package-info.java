/** What the SQLite store keeps to when clocks, files and disks do not. */
@NullMarked
package dev.orderly.store.sqlite.weather;

import org.jspecify.annotations.NullMarked;
