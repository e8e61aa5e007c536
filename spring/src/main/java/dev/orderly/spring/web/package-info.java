/** Rooms, live connections and the dashboard in an application that takes requests. */
@NullMarked
package dev.orderly.spring.web;

import org.jspecify.annotations.NullMarked;
