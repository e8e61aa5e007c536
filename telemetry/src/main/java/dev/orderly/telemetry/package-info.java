/**
 * What the core tells about itself, for systems that watch it: metrics by Micrometer and Prometheus, traces by
 * OpenTelemetry. Queues, rooms and stores know neither library.
 */
@NullMarked
package dev.orderly.telemetry;

import org.jspecify.annotations.NullMarked;
