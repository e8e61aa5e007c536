package dev.orderly.job.search;

import dev.orderly.Internal;
import dev.orderly.job.JobFailure;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The summary of a failure without the values that differ from job to job: quoted texts, addresses, UUIDs, times,
 * hexadecimal and decimal numbers become placeholders. Failures of one shape are one error. A number that names the
 * kind of a failure stays: a status of HTTP at the start or after {@code HTTP}, {@code status} or {@code answered}, and
 * digits inside a name.
 */
@Internal(to = "dev.orderly")
public record ErrorShape(String text) {
    private static final int SHOWN_MAX = 200;

    /**
     * The values, longest kind first. Every repetition is bounded by the next character, so that the work grows with
     * the length of the summary.
     */
    private static final Pattern VALUE = Pattern.compile("""
            (?<status>^[1-5]\\d\\d(?=\\ |:|$)|\\b(?:HTTP(?:/\\d(?:\\.\\d)?)?|status|answered)\\ [1-5]\\d\\d\\b)
            |(?<text>"[^"]*"|`[^`]*`|“[^”]*”|«[^»]*»|(?<![\\p{L}\\p{N}])'[^']*'(?![\\p{L}\\p{N}]))
            |(?<time>(?<![\\p{L}\\p{N}])\\d{4}-\\d\\d-\\d\\d
              (?:[T\\ ]\\d\\d:\\d\\d(?::\\d\\d(?:[.,]\\d{1,9})?)?(?:Z|[+-]\\d\\d:?\\d\\d)?)?(?![\\p{L}\\p{N}-]))
            |(?<address>\\b[a-z][a-z0-9+.-]{1,11}://[^\\s"'<>)\\]]+
              |[\\p{L}\\p{N}._%+-]+@[\\p{L}\\p{N}-]+(?:\\.[\\p{L}\\p{N}-]+)+
              |(?<![\\p{L}\\p{N}.])\\d{1,3}(?:\\.\\d{1,3}){3}(?::\\d{1,5})?(?![\\p{L}\\p{N}])
              |(?<![\\p{L}\\p{N}:])(?:[0-9a-f]{0,4}:){2,7}[0-9a-f]{1,4}(?![\\p{L}\\p{N}:]))
            |(?<id>(?<![\\p{L}\\p{N}])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![\\p{L}\\p{N}]))
            |(?<hex>\\b0x[0-9a-f]+\\b|@[0-9a-f]{5,16}\\b
              |(?<![\\p{L}\\p{N}])(?=[a-f]*\\d)[0-9a-f]{8,}(?![\\p{L}\\p{N}]))
            |(?<number>(?<![\\p{L}\\p{N}_])[+-]?\\d[\\d.,:_-]*(?:e[+-]?\\d+)?)
            """, Pattern.COMMENTS | Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CHARACTER_CLASS);

    public ErrorShape {
        Objects.requireNonNull(text, "text");
    }

    /** The shape of the summary of a failure, see {@link JobFailure#summary}. */
    public static ErrorShape of(String summary) {
        String line = summary.strip();
        Matcher matcher = VALUE.matcher(line);
        StringBuilder shape = new StringBuilder();
        while (matcher.find()) {
            matcher.appendReplacement(shape, Matcher.quoteReplacement(placeholder(matcher)));
        }
        matcher.appendTail(shape);
        return new ErrorShape(shape.toString().replaceAll("\\s+", " "));
    }

    private static String placeholder(Matcher matcher) {
        if (matcher.group("status") != null) {
            return matcher.group();
        }
        if (matcher.group("text") != null) {
            return "<text>";
        }
        if (matcher.group("address") != null) {
            return "<address>";
        }
        if (matcher.group("id") != null) {
            return "<id>";
        }
        if (matcher.group("time") != null) {
            return "<time>";
        }
        return matcher.group("hex") != null ? "<hex>" : number(matcher.group());
    }

    /** A number, with the punctuation that follows it. */
    private static String number(String match) {
        int end = match.length();
        while (end > 0 && !Character.isLetterOrDigit(match.charAt(end - 1))) {
            end--;
        }
        return "<n>" + match.substring(end);
    }

    /** The identity of this shape; never {@link ErrorFingerprint#NONE}. */
    public ErrorFingerprint fingerprint() {
        try {
            byte[] sum = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            long value = ByteBuffer.wrap(sum).getLong();
            return new ErrorFingerprint(value == 0 ? 1 : value);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every JDK has SHA-256", e);
        }
    }

    /** The fingerprint of a failure. */
    public static ErrorFingerprint fingerprint(JobFailure failure) {
        return of(failure.summary()).fingerprint();
    }

    /** The shape, cut to a length that fits a line. */
    @Override
    public String toString() {
        return text.length() <= SHOWN_MAX ? text : text.substring(0, SHOWN_MAX) + "...";
    }
}
