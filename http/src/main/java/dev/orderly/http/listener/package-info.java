/** A listener that is safe to expose: guards, deadlines and bounds in front of plain blocking endpoints. */
@NullMarked
package dev.orderly.http.listener;

import org.jspecify.annotations.NullMarked;
