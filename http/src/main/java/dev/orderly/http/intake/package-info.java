/** Pushes over HTTP: content types, keys, lines of several jobs, and the answers to pushes. */
@NullMarked
package dev.orderly.http.intake;

import org.jspecify.annotations.NullMarked;
