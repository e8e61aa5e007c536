package dev.orderly.http.room;

import dev.orderly.http.header.HeaderBlanks;
import dev.orderly.room.token.RoomTokens;
import io.vertx.core.MultiMap;
import java.util.ArrayList;
import java.util.List;

/**
 * The header by which apps send tokens: {@code Authorization: Orderly TOKEN}; a ticket and a pass in two such headers,
 * or in one, with a comma between them. Credentials of other schemes are the origin's and are left alone, even those
 * that a proxy before us has joined to ours with a comma.
 */
final class OrderlyAuthorization {
    private static final String NAME = "Authorization";
    private static final String SCHEME = "Orderly";

    private OrderlyAuthorization() {}

    /** The tokens, in the order sent, none twice and at most so many. */
    static List<String> tokens(MultiMap headers, int max) {
        List<String> tokens = new ArrayList<>();
        for (String header : headers.getAll(NAME)) {
            ours(header, tokens, max);
        }
        return tokens;
    }

    /** Takes the tokens out of the headers; what else they say stays as it is. */
    static void strip(MultiMap headers) {
        List<String> all = headers.getAll(NAME);
        List<String> kept = new ArrayList<>(all.size());
        boolean changed = false;
        for (String header : all) {
            int rest = ours(header, List.of(), 0);
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
     * Goes through our part of a header.
     *
     * @param tokens where to put what is found, up to {@code max} of them
     * @return where another scheme's part begins; 0 if no part is ours, the length if all of it is
     */
    private static int ours(String header, List<String> tokens, int max) {
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

    /** As another scheme and its credentials are. */
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
