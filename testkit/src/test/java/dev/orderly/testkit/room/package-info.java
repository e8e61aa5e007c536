/** The engine of rooms on the store in memory: what it promises whatever the store. */
@NullMarked
package dev.orderly.testkit.room;

import org.jspecify.annotations.NullMarked;
