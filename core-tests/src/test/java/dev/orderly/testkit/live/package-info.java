/** Live messages and presence, without a transport. */
@NullMarked
package dev.orderly.testkit.live;

import org.jspecify.annotations.NullMarked;
