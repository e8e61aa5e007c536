package dev.orderly.http.room;

import dev.orderly.http.edge.CidrBlock;
import dev.orderly.http.path.PathGlob;
import java.net.InetAddress;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Requests that a room lets pass without looking. All that is named has to fit.
 *
 * @param path null for any
 * @param method such as {@code GET}; null for any
 * @param header its name, or its name and value as {@code Name: value}; null for any. Whoever knows it may pass
 * @param address where the client is; null for anywhere
 */
public record BypassRule(@Nullable PathGlob path, @Nullable String method, @Nullable String header,
        @Nullable CidrBlock address) {
    /** What no visitor waits for: {@code robots.txt}, the icon, the site map, and {@code /.well-known/}. */
    static final List<BypassRule> ALWAYS = List.of(ofPath("/robots.txt"), ofPath("/favicon.ico"),
            ofPath("/sitemap.xml"), ofPath("/.well-known/**"));

    /** @throws IllegalArgumentException if nothing is named */
    public BypassRule {
        if (path == null && method == null && header == null && address == null) {
            throw new IllegalArgumentException(
                    "The bypass rule names nothing: name a path, method, header or address, or leave it out");
        }
        method = method == null ? null : method.toUpperCase(Locale.ROOT);
    }

    public static BypassRule ofPath(String path) {
        return new BypassRule(PathGlob.parse(path), null, null, null);
    }

    /**
     * Whether a request passes.
     *
     * @param key of its path
     * @param plain whether its path is spelled as it is read; a path that is not passes by no path
     * @param client asked only if the rule has an address
     */
    boolean fits(Request request, String key, boolean plain, Supplier<InetAddress> client) {
        if (path != null && !(plain && path.matches(key))) {
            return false;
        }
        if (method != null && !method.equals(request.method())) {
            return false;
        }
        return (header == null || hasHeader(header, request))
                && (address == null || address.contains(client.get()));
    }

    private static boolean hasHeader(String rule, Request request) {
        int colon = rule.indexOf(':');
        List<String> values = request.header(colon < 0 ? rule : rule.substring(0, colon).strip());
        return colon < 0 ? !values.isEmpty() : values.contains(rule.substring(colon + 1).strip());
    }

    /** What a rule looks at. */
    interface Request {
        String method();

        List<String> header(String name);
    }
}
