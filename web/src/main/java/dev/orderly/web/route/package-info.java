/** Endpoints by path and method, and handlers of streamed requests. */
@NullMarked
package dev.orderly.web.route;

import org.jspecify.annotations.NullMarked;
