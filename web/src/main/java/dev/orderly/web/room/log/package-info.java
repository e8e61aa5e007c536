/** The visitor log: one line for each request that met a room, without tokens and secrets. */
@NullMarked
package dev.orderly.web.room.log;

import org.jspecify.annotations.NullMarked;
