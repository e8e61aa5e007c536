/** Endpoints by path and method, and handlers of streamed requests. */
@Internal(to = {"dev.orderly.dashboard", "dev.orderly.http", "dev.orderly.server", "dev.orderly.servlet"})
@NullMarked
package dev.orderly.web.route;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;
