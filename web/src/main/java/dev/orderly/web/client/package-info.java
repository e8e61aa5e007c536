/** The JavaScript client. */
@NullMarked
package dev.orderly.web.client;

import org.jspecify.annotations.NullMarked;
