/** Listeners that are safe to expose: guards, deadlines and bounds in front of blocking endpoints and of streams. */
@NullMarked
package dev.orderly.http.listener;

import org.jspecify.annotations.NullMarked;
