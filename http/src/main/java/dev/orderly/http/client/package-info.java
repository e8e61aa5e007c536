/** The JavaScript client. */
@NullMarked
package dev.orderly.http.client;

import org.jspecify.annotations.NullMarked;
