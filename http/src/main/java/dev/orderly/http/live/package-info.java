/** Live connections at the edge: WebSockets, and event streams for clients that only receive. */
@NullMarked
package dev.orderly.http.live;

import org.jspecify.annotations.NullMarked;
