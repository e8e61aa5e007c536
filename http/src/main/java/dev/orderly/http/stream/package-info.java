/** Requests that are served while they are read: their exchange, and answers that stay open. */
@NullMarked
package dev.orderly.http.stream;

import org.jspecify.annotations.NullMarked;
