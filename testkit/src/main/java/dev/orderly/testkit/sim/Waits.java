package dev.orderly.testkit.sim;

import java.util.List;

/**
 * How the waits that visitors were told compare with the waits they had, over those who waited and entered.
 *
 * @param visitors how many
 * @param inside the share of them whose wait was inside the first range they were told, counted from that moment
 * @param untold the share of them who entered without ever having been told a range
 * @param width the median width of that range, as a share of the wait
 * @param unknownFor the median share of the whole wait that was over before a range was told
 * @param raised how often a range ended later than the one told before, for no reason that was said
 * @param reasoned how often one ended later with its reason
 * @param misses some of the visitors who were told wrong
 */
public record Waits(int visitors, double inside, double untold, double width, double unknownFor, int raised,
        int reasoned, List<String> misses) {
    public Waits {
        misses = List.copyOf(misses);
    }
}
