package dev.orderly.web.header;

/** Skips blanks as headers define them: spaces and tabs. */
public final class HeaderBlanks {
    private HeaderBlanks() {}

    /** The first index from {@code from} on without a blank; {@code to} if there is none. */
    public static int after(String text, int from, int to) {
        int at = from;
        while (at < to && isBlank(text.charAt(at))) {
            at++;
        }
        return at;
    }

    /** The index after the last character before {@code to} that is not a blank; {@code from} if there is none. */
    public static int before(String text, int from, int to) {
        int at = to;
        while (at > from && isBlank(text.charAt(at - 1))) {
            at--;
        }
        return at;
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t';
    }
}
