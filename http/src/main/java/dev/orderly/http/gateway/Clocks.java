package dev.orderly.http.gateway;

import dev.orderly.time.Time;
import io.vertx.core.Vertx;

/** What forwarding measures and waits with. */
record Clocks(Vertx vertx, Time time) {}
