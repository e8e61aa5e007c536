/** The ports of the store: each call is a request to the writer. */
@Internal
@NullMarked
package dev.orderly.store.sqlite.port;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;
