package dev.orderly.web.room;

import dev.orderly.room.token.RoomTokens;
import dev.orderly.web.header.HeaderBlanks;
import dev.orderly.web.message.Headers;
import java.util.ArrayList;
import java.util.List;

/**
 * The header by which apps send tokens: {@code Authorization: Orderly TOKEN}; a ticket and a pass in two such headers,
 * or in one, separated by a comma. Credentials of other schemes belong to the origin and stay unchanged, even if a
 * proxy has joined them to the tokens with a comma.
 */
final class OrderlyAuthorization {
    private static final String NAME = "Authorization";
    private static final String SCHEME = "Orderly";

    private OrderlyAuthorization() {}

    /** The distinct tokens in the order sent, at most {@code max}. */
    static List<String> tokens(Headers headers, int max) {
        List<String> tokens = new ArrayList<>();
        for (String header : headers.getAll(NAME)) {
            scan(header, tokens, max);
        }
        return tokens;
    }

    /** Removes the tokens from the headers; other credentials stay unchanged. */
    static void strip(Headers headers) {
        List<String> all = headers.getAll(NAME);
        List<String> kept = new ArrayList<>(all.size());
        boolean changed = false;
        for (String header : all) {
            int rest = scan(header, List.of(), 0);
            changed |= rest > 0;
            if (rest < header.length()) {
                kept.add(header.substring(rest));
            }
        }
        if (changed) {
            headers.remove(NAME);
            kept.forEach(header -> headers.add(NAME, header));
        }
    }

    /**
     * Scans the part of a header with tokens of rooms.
     *
     * @param tokens receives the tokens, up to {@code max}
     * @return begin of another scheme's part; 0 if there are no tokens, the length if there is no other part
     */
    private static int scan(String header, List<String> tokens, int max) {
        int length = header.length();
        int at = HeaderBlanks.after(header, 0, length);
        if (!hasScheme(header, at, length)) {
            return 0;
        }
        while (at < length) {
            int comma = header.indexOf(',', at);
            int end = comma < 0 ? length : comma;
            int from = hasScheme(header, at, end) ? HeaderBlanks.after(header, at + SCHEME.length(), end) : at;
            int to = HeaderBlanks.before(header, from, end);
            if (from == at && isTwoWords(header, from, to)) {
                return at;
            }
            add(header, from, to, tokens, max);
            at = HeaderBlanks.after(header, Math.min(end + 1, length), length);
        }
        return length;
    }

    private static boolean hasScheme(String header, int from, int end) {
        int after = from + SCHEME.length();
        return header.regionMatches(true, from, SCHEME, 0, SCHEME.length()) && after <= end
                && (after == end || HeaderBlanks.after(header, after, end) > after);
    }

    /** Whether the text has two words, like a scheme and its credentials. */
    private static boolean isTwoWords(String header, int from, int to) {
        for (int at = from; at < to; at++) {
            if (HeaderBlanks.after(header, at, to) > at) {
                return true;
            }
        }
        return false;
    }

    private static void add(String header, int from, int to, List<String> tokens, int max) {
        if (tokens.size() < max && from < to && to - from <= RoomTokens.TOKEN_MAX) {
            String token = header.substring(from, to);
            if (!tokens.contains(token)) {
                tokens.add(token);
            }
        }
    }
}
