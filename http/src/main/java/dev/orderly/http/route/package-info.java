/** Endpoints by path and method, and handlers of streamed requests. */
@NullMarked
package dev.orderly.http.route;

import org.jspecify.annotations.NullMarked;
