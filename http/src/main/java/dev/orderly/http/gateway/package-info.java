/** The reverse proxy inside the edge: which origin a request belongs to, and how it gets there and back. */
@NullMarked
package dev.orderly.http.gateway;

import org.jspecify.annotations.NullMarked;
