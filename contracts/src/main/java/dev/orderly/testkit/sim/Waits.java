package dev.orderly.testkit.sim;

import java.util.List;
import java.util.Map;

/**
 * Forecasts of waits compared with the real waits, over the visitors who waited and entered.
 *
 * @param visitors the number of visitors
 * @param inside the share of visitors whose wait was inside the first range, counted from that moment
 * @param untold the share of visitors who entered without any range
 * @param width the median width of the first range, as a share of the wait
 * @param unknownFor the median share of the whole wait that had passed before the first range
 * @param raised the number of ranges that ended later than the previous range, without a reason
 * @param reasoned the number of ranges that ended later with a reason
 * @param pushedBack how often more visitors were ahead than before, without a reason
 * @param misses some of the visitors with a wrong forecast
 * @param insideByLine as {@code inside}, for the visitors of each line, by its number
 */
public record Waits(int visitors, double inside, double untold, double width, double unknownFor, int raised,
        int reasoned, int pushedBack, List<String> misses, Map<Integer, Double> insideByLine) {
    public Waits {
        misses = List.copyOf(misses);
        insideByLine = Map.copyOf(insideByLine);
    }
}
