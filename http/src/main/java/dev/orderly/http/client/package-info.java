/** The JavaScript of Orderly's clients. */
@NullMarked
package dev.orderly.http.client;

import org.jspecify.annotations.NullMarked;
