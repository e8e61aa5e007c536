/** Rooms in front of an application in a container. */
@NullMarked
package dev.orderly.servlet.room;

import org.jspecify.annotations.NullMarked;
