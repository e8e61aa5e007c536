/** What the writer keeps in memory: queues and their order, locked jobs, recent keys, rooms. */
@Internal
@NullMarked
package dev.orderly.store.sqlite.state;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;
