/** Live connections at the edge: WebSockets, and event streams for those who only listen. */
@NullMarked
package dev.orderly.http.live;

import org.jspecify.annotations.NullMarked;
