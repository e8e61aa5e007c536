/** Readiness of a server. */
@NullMarked
package dev.orderly.http.health;

import org.jspecify.annotations.NullMarked;
