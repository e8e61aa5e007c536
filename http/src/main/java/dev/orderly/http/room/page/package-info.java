/** The page that visitors see while they wait. Knows nothing of how a room works, nor of HTTP servers. */
@NullMarked
package dev.orderly.http.room.page;

import org.jspecify.annotations.NullMarked;
