/** Rooms in front of a site: who has a pass goes on, everybody else is answered here; and the calls of visitors. */
@NullMarked
package dev.orderly.http.room;

import org.jspecify.annotations.NullMarked;
