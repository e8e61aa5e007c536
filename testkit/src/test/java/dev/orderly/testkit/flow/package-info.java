/** What the core's flow package promises, on clocks that obey. */
@NullMarked
package dev.orderly.testkit.flow;

import org.jspecify.annotations.NullMarked;
