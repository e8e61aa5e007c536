package dev.orderly.job;

/**
 * Why an attempt failed, as kept with the job.
 *
 * @param summary one line, at most {@value #SUMMARY_MAX} characters
 * @param detail stack trace or response, at most {@value #DETAIL_MAX} characters; may be empty
 */
public record Failure(String summary, String detail) {
    public static final int SUMMARY_MAX = 500;
    public static final int DETAIL_MAX = 8_000;

    public Failure {
        summary = cut(summary, SUMMARY_MAX);
        detail = cut(detail, DETAIL_MAX);
    }

    private static String cut(String text, int max) {
        return text.length() <= max ? text : text.substring(0, max - 3) + "...";
    }
}
