/** Tests of the engine of rooms on the memory store: promises that hold on every store. */
@NullMarked
package dev.orderly.testkit.room;

import org.jspecify.annotations.NullMarked;
