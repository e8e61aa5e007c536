/** The mathematics of a draw that everybody can check: the tree over the tickets of a lobby, and their order. */
@Internal(to = "dev.orderly.cli")
@NullMarked
package dev.orderly.room.draw;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;
