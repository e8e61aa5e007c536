/** Files of the operating system. */
@Internal(to = {"dev.orderly.http", "dev.orderly.server", "dev.orderly.store.sqlite"})
@NullMarked
package dev.orderly.file;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;
