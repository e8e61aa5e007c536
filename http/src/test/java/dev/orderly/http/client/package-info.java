/** Tests of the JavaScript client against a real listener. */
@NullMarked
package dev.orderly.http.client;

import org.jspecify.annotations.NullMarked;
