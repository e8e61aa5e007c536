/** Promises of the core's engine that do not depend on the store, on the store in memory. */
@NullMarked
package dev.orderly.testkit.engine;

import org.jspecify.annotations.NullMarked;
