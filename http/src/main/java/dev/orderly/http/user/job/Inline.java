package dev.orderly.http.user.job;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Lists that go with a job to its worker, if they are small. */
final class Inline {
    /** The largest number of bytes of the values of a list that goes with a job to its worker. */
    static final int MAX = 8 << 10;
    /** As {@link #MAX}, in a header: servers take 8 KiB in all headers, by default. */
    static final int HEADER_MAX = 4 << 10;

    private Inline() {}

    /** JSON for a header, in ASCII; null if it is too large. */
    static @Nullable String header(byte[] json) {
        String ascii = new String(json, StandardCharsets.UTF_8).chars().mapToObj(Inline::ascii)
                .collect(Collectors.joining());
        return ascii.length() > HEADER_MAX ? null : ascii;
    }

    /** A character of JSON; a control character can only stand between its tokens. */
    private static String ascii(int one) {
        return one < 0x7f ? String.valueOf((char) Math.max(one, ' ')) : String.format(Locale.ROOT, "\\u%04x", one);
    }
}
