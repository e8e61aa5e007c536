/** Requests and answers as values, and event streams. */
@NullMarked
package dev.orderly.http.message;

import org.jspecify.annotations.NullMarked;
