/** Alerts of a server: what it observes, the state that all nodes share, and the deliveries. */
@NullMarked
package dev.orderly.server.alert;

import org.jspecify.annotations.NullMarked;
