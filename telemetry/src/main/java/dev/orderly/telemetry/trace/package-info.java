/** Traces by OpenTelemetry: spans of pushes, attempts and forwarded requests, and their export by OTLP. */
@NullMarked
package dev.orderly.telemetry.trace;

import org.jspecify.annotations.NullMarked;
