package dev.orderly.web.header;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;

/**
 * An element of a header with weighted preferences (RFC 9110 section 12.4.2), such as {@code de;q=0.8}.
 *
 * @param value in lower case, without its parameters; 1 to {@value #VALUE_MAX} characters
 * @param weight {@code q} in thousandths, 0 to {@value #WHOLE}; 0 excludes the value
 */
record WeightedValue(String value, int weight) {
    static final int ITEMS_MAX = 50;
    static final int VALUE_MAX = 100;
    static final int WHOLE = 1000;

    /**
     * The first {@value #ITEMS_MAX} elements of all headers of one name, in the order sent. Elements without a value,
     * with a value that is too long, or with an invalid weight are skipped.
     */
    static List<WeightedValue> read(List<String> headers) {
        List<WeightedValue> items = new ArrayList<>();
        for (String header : headers) {
            int at = 0;
            while (at < header.length() && items.size() < ITEMS_MAX) {
                int end = end(header, at, header.length(), ',');
                add(header, at, end, items);
                at = end + 1;
            }
        }
        return items;
    }

    private static void add(String text, int start, int end, List<WeightedValue> items) {
        int parameters = end(text, start, end, ';');
        int from = HeaderBlanks.after(text, start, parameters);
        int to = HeaderBlanks.before(text, from, parameters);
        if (from == to || to - from > VALUE_MAX) {
            return;
        }
        OptionalInt weight = OptionalInt.of(WHOLE);
        int at = parameters;
        while (at < end) {
            int next = end(text, at + 1, end, ';');
            int name = HeaderBlanks.after(text, at + 1, next);
            int equals = HeaderBlanks.after(text, Math.min(name + 1, next), next);
            if (equals < next && (text.charAt(name) | 0x20) == 'q' && text.charAt(equals) == '=') {
                weight = weight(text, equals + 1, next);
            }
            at = next;
        }
        weight.ifPresent(
                value -> items.add(new WeightedValue(text.substring(from, to).toLowerCase(Locale.ROOT), value)));
    }

    /** The index of the next separator outside quotes; {@code to} if there is none. */
    private static int end(String text, int from, int to, char separator) {
        boolean quoted = false;
        for (int at = from; at < to; at++) {
            char c = text.charAt(at);
            if (c == '"') {
                quoted = !quoted;
            } else if (c == '\\' && quoted) {
                at++;
            } else if (c == separator && !quoted) {
                return at;
            }
        }
        return to;
    }

    /** Parses a weight by the grammar, and also {@code .2} and {@code 1.5}, which some clients send. */
    private static OptionalInt weight(String text, int start, int end) {
        int from = HeaderBlanks.after(text, start, end);
        int to = HeaderBlanks.before(text, from, end);
        int sum = 0;
        int unit = WHOLE;
        int digits = 0;
        for (int at = from; at < to; at++) {
            char c = text.charAt(at);
            if (c == '.' && unit == WHOLE) {
                unit = WHOLE / 10;
            } else if (c >= '0' && c <= '9' && (unit < WHOLE || digits == 0)) {
                sum += (c - '0') * unit;
                unit = unit < WHOLE ? unit / 10 : unit;
                digits++;
            } else {
                return OptionalInt.empty();
            }
        }
        return digits == 0 ? OptionalInt.empty() : OptionalInt.of(Math.min(sum, WHOLE));
    }
}
