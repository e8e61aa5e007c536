/** The writer's state in memory: indexes of queues, locked jobs, recent dedupe keys, rooms. */
@Internal
@NullMarked
package dev.orderly.store.sqlite.state;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;
