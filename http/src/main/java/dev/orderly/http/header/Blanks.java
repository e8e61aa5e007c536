package dev.orderly.http.header;

/** Finds the ends of what stands between blanks, as headers count them: spaces and tabs. */
public final class Blanks {
    private Blanks() {}

    /** The first place from {@code from} on that is no blank; {@code to} if all are. */
    public static int after(String text, int from, int to) {
        int at = from;
        while (at < to && isBlank(text.charAt(at))) {
            at++;
        }
        return at;
    }

    /** The place behind the last that is no blank before {@code to}; {@code from} if all are. */
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
