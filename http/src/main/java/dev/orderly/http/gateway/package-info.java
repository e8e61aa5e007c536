/** The reverse proxy inside the edge: chooses the origin of a request, and forwards request and answer. */
@NullMarked
package dev.orderly.http.gateway;

import org.jspecify.annotations.NullMarked;
