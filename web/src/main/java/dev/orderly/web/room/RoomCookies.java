package dev.orderly.web.room;

import dev.orderly.Internal;
import dev.orderly.room.RoomName;
import dev.orderly.room.gate.ShownTokens;
import dev.orderly.room.token.RoomTokens;
import dev.orderly.web.header.CookieScan;
import dev.orderly.web.header.HeaderBlanks;
import dev.orderly.web.message.Headers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * The cookies of one room: a ticket and a pass. Reads them from all cookies of a request, in any position and number,
 * and writes them. Read tokens are unverified: see {@link RoomTokens}. Never throws for any request headers; reads them
 * once. Immutable and thread-safe; create one instance per room.
 */
@Internal(to = "dev.orderly")
public final class RoomCookies {
    /** The most tokens of a kind that are read from cookies, and from Authorization headers. */
    public static final int CANDIDATES_MAX = 8;

    private static final String COOKIE = "Cookie";
    private static final String TICKET = "t_";
    private static final String PASS = "p_";
    /** Browsers send the cookies of a host to all its ports, so that the edge gets those of the dashboard too. */
    private static final String SESSION = "session";
    /** The beginnings of the names of all cookies that end at the edge. */
    private static final List<String> OWN = Arrays.stream(CookieForm.values()).map(CookieForm::prefix)
            .flatMap(prefix -> Stream.of(TICKET, PASS, SESSION).map(prefix::concat)).toList();

    private final Names guarded;
    private final Names loopback;

    public RoomCookies(RoomName room) {
        guarded = Names.of(room, CookieForm.GUARDED);
        loopback = Names.of(room, CookieForm.LOOPBACK);
    }

    private record Names(String ticket, String pass) {
        static Names of(RoomName room, CookieForm form) {
            return new Names(form.prefix() + TICKET + room, form.prefix() + PASS + room);
        }
    }

    private Names names(CookieForm form) {
        return switch (form) {
            case GUARDED -> guarded;
            case LOOPBACK -> loopback;
        };
    }

    /** The possible tokens for this room in the request's cookies of this form, and in its Authorization headers. */
    public ShownTokens read(Headers headers, CookieForm form) {
        List<String> sent = OrderlyAuthorization.tokens(headers, CANDIDATES_MAX);
        List<String> ticketsFound = new ArrayList<>(sent);
        List<String> passesFound = new ArrayList<>(sent);
        int max = sent.size() + CANDIDATES_MAX;
        Names names = names(form);
        for (String header : headers.getAll(COOKIE)) {
            CookieScan cookie = new CookieScan(header);
            while (cookie.next()) {
                if (cookie.isNamed(names.ticket)) {
                    add(cookie.value(), ticketsFound, max);
                } else if (cookie.isNamed(names.pass)) {
                    add(cookie.value(), passesFound, max);
                }
            }
        }
        return new ShownTokens(ticketsFound, passesFound);
    }

    private static void add(String token, List<String> found, int max) {
        boolean possible = !token.isEmpty() && token.length() <= RoomTokens.TOKEN_MAX;
        if (possible && found.size() < max && !found.contains(token)) {
            found.add(token);
        }
    }

    /**
     * Removes the tokens of all rooms, in cookies of both forms and in Authorization headers, codes of invitations, and
     * sessions of the dashboard, from the headers for the origin. Other cookies and credentials stay byte for byte, in
     * their order.
     *
     * @param headers changed in place
     */
    public static void strip(Headers headers) {
        OrderlyAuthorization.strip(headers);
        headers.remove(InvitationEndpoints.HEADER);
        List<String> all = headers.getAll(COOKIE);
        List<String> kept = new ArrayList<>(all.size());
        boolean changed = false;
        for (String header : all) {
            String rest = withoutTokens(header);
            changed |= rest.length() != header.length();
            if (!rest.isBlank()) {
                kept.add(rest);
            }
        }
        if (changed) {
            headers.remove(COOKIE);
            kept.forEach(header -> headers.add(COOKIE, header));
        }
    }

    private static String withoutTokens(String header) {
        StringBuilder kept = new StringBuilder();
        int copied = 0;
        boolean found = false;
        CookieScan cookie = new CookieScan(header);
        while (cookie.next()) {
            if (isToken(cookie)) {
                found = true;
                kept.append(header, copied, Math.max(copied, cookie.start() - 1));
                copied = cookie.end();
            }
        }
        if (!found) {
            return header;
        }
        kept.append(header, copied, header.length());
        // If the first cookie was removed, its semicolon and blanks are left over.
        int from = kept.length() > 0 && kept.charAt(0) == ';' && header.charAt(0) != ';' ? 1 : 0;
        String rest = kept.substring(from);
        return from == 0 ? rest : rest.substring(HeaderBlanks.after(rest, 0, rest.length()));
    }

    private static boolean isToken(CookieScan cookie) {
        for (String prefix : OWN) {
            if (cookie.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }

    /** Whether a cookie of this name is a token of any room, or a session of the dashboard. */
    public static boolean isToken(String name) {
        return OWN.stream().anyMatch(name::startsWith);
    }

    /**
     * The value of a {@code Set-Cookie} header that sends a ticket to the browser.
     *
     * @param life the remaining life of the ticket
     */
    public String setTicket(String token, Duration life, CookieForm form) {
        return set(names(form).ticket, token, life, form);
    }

    /**
     * The value of a {@code Set-Cookie} header that sends a pass to the browser.
     *
     * @param life how long the browser keeps it
     */
    public String setPass(String token, Duration life, CookieForm form) {
        return set(names(form).pass, token, life, form);
    }

    /** The value of a {@code Set-Cookie} header that removes the ticket from the browser. */
    public String clearTicket(CookieForm form) {
        return set(names(form).ticket, "", Duration.ZERO, form);
    }

    /** The value of a {@code Set-Cookie} header that removes the pass from the browser. */
    public String clearPass(CookieForm form) {
        return set(names(form).pass, "", Duration.ZERO, form);
    }

    private static String set(String name, String value, Duration life, CookieForm form) {
        return name + "=" + value + "; Max-Age=" + Math.max(0, life.toSeconds()) + form.attributes();
    }
}
