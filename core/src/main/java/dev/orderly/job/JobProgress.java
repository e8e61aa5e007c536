package dev.orderly.job;

import dev.orderly.text.StoredText;

/**
 * The progress that a running job reported. Only the last value is kept.
 *
 * @param done 0 to {@code total}
 * @param total above 0, in whatever unit the handler counts
 * @param text the current activity, at most {@value #TEXT_MAX} characters; may be empty; repaired by the rule of
 *     {@link StoredText}
 */
public record JobProgress(long done, long total, String text) {
    public static final int TEXT_MAX = 1_000;

    /** @throws IllegalArgumentException if a value is out of its bounds; the message names both */
    public JobProgress {
        if (total <= 0 || done < 0 || done > total) {
            throw new IllegalArgumentException(
                    "Progress " + done + " of " + total + ": use 0 to total, and a total above 0");
        }
        if (text.length() > TEXT_MAX) {
            throw new IllegalArgumentException(
                    "Progress text has " + text.length() + " characters: use at most " + TEXT_MAX);
        }
        text = StoredText.repaired(text);
    }
}
