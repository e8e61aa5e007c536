/**
 * How many places each address, network and sign-in took lately at the gates of a room: {@link
 * dev.orderly.room.crowd.PlaceCounts}.
 */
@NullMarked
package dev.orderly.room.crowd;

import org.jspecify.annotations.NullMarked;
