package dev.orderly.http.gateway;

import dev.orderly.time.Time;
import io.vertx.core.Vertx;

/** The timers and the clock of forwarding. */
record Clocks(Vertx vertx, Time time) {}
