/** The bus between nodes, on LISTEN and NOTIFY, and the users who are online. */
@Internal
@NullMarked
package dev.orderly.store.postgres.live;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;
