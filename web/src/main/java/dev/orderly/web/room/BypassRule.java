package dev.orderly.web.room;

import dev.orderly.web.edge.CidrBlock;
import dev.orderly.web.path.RequestPath;
import dev.orderly.web.path.RequestPattern;
import java.net.InetAddress;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A rule for requests that pass a room without a ticket or pass. A request matches if it matches all given attributes.
 *
 * @param path path, perhaps with conditions on the query; null for any
 * @param method such as {@code GET}; null for any
 * @param header a name, or a name and value as {@code Name: value}; null for any. Any client that knows it may pass
 * @param address the client's addresses; null for any
 */
public record BypassRule(@Nullable RequestPattern path, @Nullable String method, @Nullable String header,
        @Nullable CidrBlock address) {
    /** The rule of {@code method}. */
    public static final Pattern METHOD = Pattern.compile("[A-Z]{1,20}");
    /** The rule of {@code header}. */
    public static final Pattern HEADER = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,80}"
            + "(: [\\x21-\\x7e]([\\x20-\\x7e]{0,998}[\\x21-\\x7e])?)?");

    /** @throws IllegalArgumentException if no attribute is given, or the method or the header breaks its rule */
    public BypassRule {
        if (path == null && method == null && header == null && address == null) {
            throw new IllegalArgumentException(
                    "The bypass rule is empty: name a path, method, header or address, or leave the rule out");
        }
        if (method != null && !METHOD.matcher(method).matches()) {
            throw new IllegalArgumentException("The bypass rule's method is \"" + method + "\": use a method in"
                    + " capitals, such as GET");
        }
        if (header != null && !HEADER.matcher(header).matches()) { // without the header, whose value may be a secret
            throw new IllegalArgumentException("The bypass rule's header breaks its rule: use the name of a header, or"
                    + " its name and value as \"Name: value\"");
        }
    }

    public static BypassRule ofPath(String path) {
        Objects.requireNonNull(path, "path");
        return new BypassRule(RequestPattern.parse(path), null, null, null);
    }

    /**
     * Whether a request matches. A path in any but the plain spelling matches no path.
     *
     * @param client supplies the client's address; called only if the rule has an address
     */
    boolean matches(Request request, Supplier<InetAddress> client) {
        if (path != null && !path.surelyMatches(request.path(), request.query())) {
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

    /** The attributes of a request that a rule reads. */
    interface Request {
        String method();

        RequestPath path();

        /** As sent; null for none. */
        @Nullable
        String query();

        List<String> header(String name);
    }
}
