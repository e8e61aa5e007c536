/** WebSockets at the edge. */
@NullMarked
package dev.orderly.http.live;

import org.jspecify.annotations.NullMarked;
