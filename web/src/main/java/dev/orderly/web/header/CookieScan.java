package dev.orderly.web.header;

/**
 * An iterator over the cookies of one Cookie header, as RFC 6265 splits it: cookies end at semicolons, names at the
 * first equals sign, and blanks around both are ignored. Never throws, for any text. Makes one pass, and copies only
 * the requested values.
 */
public final class CookieScan {
    private final String text;
    private int start;
    private int equals;
    private int end = -1;

    public CookieScan(String text) {
        this.text = text;
    }

    /** Moves to the next piece between semicolons, which may be empty; false after the last piece. */
    public boolean next() {
        if (end == text.length()) {
            return false;
        }
        start = end + 1;
        int semicolon = text.indexOf(';', start);
        end = semicolon < 0 ? text.length() : semicolon;
        equals = start;
        while (equals < end && text.charAt(equals) != '=') {
            equals++;
        }
        return true;
    }

    public boolean isNamed(String name) {
        int from = HeaderBlanks.after(text, start, equals);
        return startsWith(name) && HeaderBlanks.before(text, from, equals) == from + name.length();
    }

    /** Whether the piece is a cookie whose name begins with {@code name}. */
    public boolean startsWith(String name) {
        int from = HeaderBlanks.after(text, start, equals);
        return equals < end && from + name.length() <= equals && text.startsWith(name, from);
    }

    /** The value without surrounding blanks, and without one pair of quotes. */
    public String value() {
        int from = HeaderBlanks.after(text, equals + 1, end);
        int to = HeaderBlanks.before(text, from, end);
        boolean quoted = to - from >= 2 && text.charAt(from) == '"' && text.charAt(to - 1) == '"';
        return quoted ? text.substring(from + 1, to - 1) : text.substring(from, to);
    }

    /** The start of the piece, after the preceding semicolon. */
    public int start() {
        return start;
    }

    /** The index of the semicolon after the piece, or the end of the text. */
    public int end() {
        return end;
    }
}
