/** The engine of the core on the store in memory: what it promises whatever the store. */
@NullMarked
package dev.orderly.testkit.engine;

import org.jspecify.annotations.NullMarked;
