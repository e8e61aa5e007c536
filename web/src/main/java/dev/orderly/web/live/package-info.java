/** Live connections over HTTP: who may open one, event streams, and the rules of WebSockets on any transport. */
@NullMarked
package dev.orderly.web.live;

import org.jspecify.annotations.NullMarked;
