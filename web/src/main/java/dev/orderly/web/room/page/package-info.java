/** The page that visitors see while they wait. Independent of rooms and HTTP servers. */
@NullMarked
package dev.orderly.web.room.page;

import org.jspecify.annotations.NullMarked;
