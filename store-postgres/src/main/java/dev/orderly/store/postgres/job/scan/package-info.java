/** Lower bounds of scans of indexes and tables in which an old transaction keeps rows that are gone. */
@Internal
@NullMarked
package dev.orderly.store.postgres.job.scan;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;
