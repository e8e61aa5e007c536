/** Rooms in front of paths of an application. */
@NullMarked
package dev.orderly.servlet.room;

import org.jspecify.annotations.NullMarked;
