package dev.orderly.bench.measure;

import java.time.Duration;

/**
 * How long is measured.
 *
 * @param window length of a rate measurement
 * @param warmUp time under load before it
 * @param pause between two pushes to an idle queue
 */
public record Pace(Duration window, Duration warmUp, Duration pause) {}
