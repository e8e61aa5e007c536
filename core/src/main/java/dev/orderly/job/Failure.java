package dev.orderly.job;

import dev.orderly.text.StoredText;

/**
 * Why an attempt failed, as kept with the job: cut to its bounds, and mended after the rule of {@link StoredText}.
 *
 * @param summary one line, at most {@value #SUMMARY_MAX} characters
 * @param detail stack trace or response, at most {@value #DETAIL_MAX} characters; may be empty
 */
public record Failure(String summary, String detail) {
    public static final int SUMMARY_MAX = 500;
    public static final int DETAIL_MAX = 8_000;

    public Failure {
        summary = StoredText.mended(summary, SUMMARY_MAX);
        detail = StoredText.mended(detail, DETAIL_MAX);
    }
}
