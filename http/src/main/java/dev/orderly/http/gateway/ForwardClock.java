package dev.orderly.http.gateway;

import dev.orderly.time.Time;
import io.vertx.core.Vertx;

/** The timers and the clock of forwarding. */
record ForwardClock(Vertx vertx, Time time) {}
