/** Live connections over HTTP: who may open one, event streams, and the rules of WebSockets on any transport. */
@Internal(to = {"dev.orderly.bench", "dev.orderly.http", "dev.orderly.server", "dev.orderly.servlet"})
@NullMarked
package dev.orderly.web.live;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;
