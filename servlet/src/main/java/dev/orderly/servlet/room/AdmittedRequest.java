package dev.orderly.servlet.room;

import dev.orderly.web.message.HeaderList;
import dev.orderly.web.message.RequestHead;
import dev.orderly.web.room.RoomCookies;
import dev.orderly.web.route.ExchangeContext;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.time.DateTimeException;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A request that continues into the application: without tokens of visitors, and with the headers of the rooms in place
 * of a client's own of these names.
 */
final class AdmittedRequest extends HttpServletRequestWrapper {
    static final String ROOM = "Orderly-Room";
    static final String VISITOR = "Orderly-Visitor";
    static final String WAITED = "Orderly-Waited";

    private static final Set<String> OURS = Set.of("orderly-room", "orderly-visitor", "orderly-waited");

    private final HeaderList headers = new HeaderList();

    AdmittedRequest(HttpServletRequest request, RequestHead head, ExchangeContext additions) {
        super(request);
        head.headers().forEach((name, value) -> {
            if (!isOurs(name)) {
                headers.add(name, value);
            }
        });
        additions.forwarded().forEach(header -> headers.add(header.name(), header.value()));
    }

    /** Whether the application gets anything else than the request as it came. */
    static boolean differs(RequestHead head, ExchangeContext additions) {
        AtomicBoolean ours = new AtomicBoolean(!additions.equals(ExchangeContext.NONE)
                || !(head.headers() instanceof HeaderList list) || list.isReduced());
        head.headers().forEach((name, _) -> ours.compareAndSet(false, isOurs(name)));
        return ours.get();
    }

    /** Many servers cannot tell {@code Orderly_Room} from {@code Orderly-Room}. */
    private static boolean isOurs(String name) {
        char first = name.isEmpty() ? 0 : name.charAt(0);
        return (first == 'o' || first == 'O')
                && OURS.contains(name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "-"));
    }

    @Override
    public @Nullable String getHeader(String name) {
        return headers.get(name);
    }

    @Override
    public Enumeration<String> getHeaders(String name) {
        return Collections.enumeration(headers.getAll(name));
    }

    @Override
    public Enumeration<String> getHeaderNames() {
        Set<String> names = new LinkedHashSet<>();
        Set<String> seen = new LinkedHashSet<>();
        headers.forEach((name, _) -> {
            if (seen.add(name.toLowerCase(Locale.ROOT))) {
                names.add(name);
            }
        });
        return Collections.enumeration(names);
    }

    @Override
    public int getIntHeader(String name) {
        String value = headers.get(name);
        return value == null ? -1 : Integer.parseInt(value);
    }

    @Override
    public long getDateHeader(String name) {
        String value = headers.get(name);
        if (value == null) {
            return -1;
        }
        try {
            return ZonedDateTime.parse(value, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant().toEpochMilli();
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("Header " + name + " is \"" + value + "\", which is no date", e);
        }
    }

    @Override
    public Cookie @Nullable [] getCookies() {
        Cookie[] all = super.getCookies();
        if (all == null || Arrays.stream(all).noneMatch(cookie -> RoomCookies.isToken(cookie.getName()))) {
            return all;
        }
        List<Cookie> kept = new ArrayList<>(Arrays.asList(all));
        kept.removeIf(cookie -> RoomCookies.isToken(cookie.getName()));
        return kept.isEmpty() ? null : kept.toArray(Cookie[]::new);
    }
}
