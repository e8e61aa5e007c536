/** The dashboard of a running server, in a browser. */
@NullMarked
package dev.orderly.server.dashboard;

import org.jspecify.annotations.NullMarked;
