/** Views of jobs on read-only connections, beside the writer. */
@Internal
@NullMarked
package dev.orderly.store.sqlite.view;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;
