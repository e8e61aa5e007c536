/** Tickets and passes as signed tokens: {@link dev.orderly.room.token.RoomTokens}. */
@NullMarked
package dev.orderly.room.token;

import org.jspecify.annotations.NullMarked;
