@Internal
@NullMarked
package dev.orderly.store.postgres.access;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;
