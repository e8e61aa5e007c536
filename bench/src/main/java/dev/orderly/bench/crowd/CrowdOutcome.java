package dev.orderly.bench.crowd;

import java.util.Locale;

/**
 * What came of a crowd.
 *
 * @param entered visitors who entered after they had been told to wait
 * @param inside the share of those with a range whose wait was inside the first one
 * @param longer the share that waited longer than told first
 * @param less the share that waited less
 * @param overtaken present visitors who asked after a visitor with a higher place had entered, and still had to wait
 * @param used the share of the capacity in use while visitors waited, after the room was full once
 * @param most the most visitors who were inside together
 */
public record CrowdOutcome(int entered, double inside, double longer, double less, int overtaken, double used,
        int most) {
    String row() {
        return String.format(Locale.ROOT, "%d | %.0f %% | %.0f %% | %.0f %% | %d | %.2f", entered, inside * 100,
                longer * 100, less * 100, overtaken, used);
    }
}
