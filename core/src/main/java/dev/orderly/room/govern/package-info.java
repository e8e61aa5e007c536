/**
 * How many visitors a room may let in, second by second, by what is measured outside of it: {@link
 * dev.orderly.room.govern.Governor}.
 */
@NullMarked
package dev.orderly.room.govern;

import org.jspecify.annotations.NullMarked;
