package dev.orderly.web.user;

import dev.orderly.web.message.RequestHead;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The origins of pages that may act for their browser's user: the host of the request, and the listed origins. A
 * request without any origin comes from a program, or from an address that the user typed. Immutable.
 */
public final class PageOrigins {
    /** The request's own host only. */
    public static final PageOrigins OWN = new PageOrigins(List.of());

    private static final Set<String> OWN_SITE = Set.of("same-origin", "none");

    private final Set<String> listed;

    /**
     * Adds origins to the request's own host.
     *
     * @param listed such as {@code https://shop.example.com}: scheme, host, and the port if it is not the scheme's
     *   default
     * @throws IllegalArgumentException naming the origin, the rule and the remedy
     */
    public PageOrigins(List<String> listed) {
        this.listed = listed.stream().map(PageOrigins::checked).collect(Collectors.toUnmodifiableSet());
    }

    /** Whether the request has an {@code Origin} that is neither its own host nor a listed origin. */
    public boolean isForeignOrigin(RequestHead head) {
        return !head.headers().getAll("Origin").isEmpty() && !isListed(head) && isElsewhere(head);
    }

    /**
     * Whether the request comes from a page of another site, by {@code Origin} or {@code Sec-Fetch-Site}. A listed
     * origin is not foreign, whatever {@code Sec-Fetch-Site} says.
     */
    public boolean isForeign(RequestHead head) {
        boolean elsewhere = !head.headers().getAll("Sec-Fetch-Site").stream().allMatch(OWN_SITE::contains);
        return isForeignOrigin(head) || (elsewhere && !isListed(head));
    }

    /** Whether the request comes from a page of a listed origin. */
    public boolean isListed(RequestHead head) {
        List<String> origins = head.headers().getAll("Origin");
        return origins.size() == 1 && listed.contains(plain(origins.getFirst()));
    }

    public Set<String> listed() {
        return listed;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof PageOrigins origins && listed.equals(origins.listed);
    }

    @Override
    public int hashCode() {
        return listed.hashCode();
    }

    @Override
    public String toString() {
        return listed.toString();
    }

    private static boolean isElsewhere(RequestHead head) {
        List<String> origins = head.headers().getAll("Origin");
        List<String> hosts = head.headers().getAll("Host");
        if (origins.size() != 1 || hosts.size() != 1) {
            return true;
        }
        String origin = plain(origins.getFirst());
        String host = withoutPort(origin, hosts.getFirst().strip().toLowerCase(Locale.ROOT));
        return !origin.equals("https://" + host) && !origin.equals("http://" + host);
    }

    /** The origin in lower case, without the scheme's default port. */
    private static String plain(String origin) {
        String lower = origin.strip().toLowerCase(Locale.ROOT);
        return withoutPort(lower, lower);
    }

    private static String withoutPort(String origin, String text) {
        String usual = origin.startsWith("https:") ? ":443" : ":80";
        return text.endsWith(usual) && !text.endsWith(":" + usual)
                ? text.substring(0, text.length() - usual.length())
                : text;
    }

    private static String checked(String text) {
        try {
            URI uri = new URI(text);
            String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
            boolean whole = uri.getHost() != null && (scheme.equals("https") || scheme.equals("http"))
                    && uri.getRawPath().isEmpty() && uri.getRawQuery() == null && uri.getRawFragment() == null
                    && uri.getRawUserInfo() == null && uri.getPort() != 0 && uri.getPort() <= 65_535;
            if (whole) {
                return plain(text);
            }
        } catch (URISyntaxException _) {
            // Reported below, with the remedy.
        }
        throw new IllegalArgumentException("Origin " + text
                + " is not a scheme and host: use the form https://shop.example.com, without a path");
    }
}
