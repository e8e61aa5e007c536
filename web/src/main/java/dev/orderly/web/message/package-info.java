/** Requests and answers as values, and event streams. */
@NullMarked
package dev.orderly.web.message;

import org.jspecify.annotations.NullMarked;
