/** The dashboard on the listener of the API. */
@NullMarked
package dev.orderly.server.dashboard;

import org.jspecify.annotations.NullMarked;
