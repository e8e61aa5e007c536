/** Rooms at the edge: requests with a pass continue, all others are answered here; and the endpoints for visitors. */
@NullMarked
package dev.orderly.web.room;

import org.jspecify.annotations.NullMarked;
