/** Promises of core's flow package, on manual clocks. */
@NullMarked
package dev.orderly.testkit.flow;

import org.jspecify.annotations.NullMarked;
