/**
 * The only thread that writes: requests wait in a {@link dev.orderly.store.sqlite.writer.RequestQueue} and are
 * committed in groups by the {@link dev.orderly.store.sqlite.writer.Writer}.
 */
@Internal
@NullMarked
package dev.orderly.store.sqlite.writer;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;
