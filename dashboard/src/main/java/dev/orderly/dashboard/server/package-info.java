/** Pages about the server: its configuration, and facts. */
@NullMarked
package dev.orderly.dashboard.server;

import org.jspecify.annotations.NullMarked;
