/**
 * Metrics by Micrometer: one catalogue of all meters, observers that record them, and gauges that are read for a
 * scrape.
 */
@NullMarked
package dev.orderly.telemetry.metrics;

import org.jspecify.annotations.NullMarked;
