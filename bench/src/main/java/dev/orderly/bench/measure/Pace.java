package dev.orderly.bench.measure;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * How long is measured.
 *
 * @param window length of a rate measurement
 * @param warmUp time under load before it
 * @param pause between two pushes to an idle queue
 */
public record Pace(Duration window, Duration warmUp, Duration pause) {
    /** The three in milliseconds, for the command line of another process. */
    public List<String> arguments() {
        return Stream.of(window, warmUp, pause).map(each -> Long.toString(each.toMillis())).toList();
    }
}
