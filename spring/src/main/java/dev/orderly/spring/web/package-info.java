/** Rooms, live connections and the dashboard in an application that takes requests. */
@Internal
@NullMarked
package dev.orderly.spring.web;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;
