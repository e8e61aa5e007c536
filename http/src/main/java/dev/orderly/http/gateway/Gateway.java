package dev.orderly.http.gateway;

import dev.orderly.web.edge.TrustedProxies;
import java.util.Comparator;
import java.util.List;

/**
 * The forwarding part of the edge.
 *
 * @param origins get the requests that match no route; without origins these are 404. If each origin names its hosts,
 *   other hosts are answered 421
 * @param trusted proxies in front of the edge
 * @param limits of forwarding
 */
public record Gateway(List<Origin> origins, TrustedProxies trusted, ForwardLimits limits) {
    /** Routes only, without forwarding. */
    public static final Gateway NONE = of(List.of());

    /** @throws IllegalArgumentException if two origins have the same pattern on the same host */
    public Gateway {
        origins = origins.stream().sorted(
                Comparator.comparing(Origin::match).thenComparing(origin -> origin.hosts().isEmpty())).toList();
        for (int i = 1; i < origins.size(); i++) {
            Origin later = origins.get(i);
            for (Origin one : origins.subList(0, i)) {
                if (one.isTwinOf(later)) {
                    throw new IllegalArgumentException("Origins " + one.uri() + " and " + later.uri() + " both match "
                            + one.match().text() + ": change or drop one");
                }
            }
        }
    }

    /** No trusted proxies, default limits. */
    public static Gateway of(List<Origin> origins) {
        return new Gateway(origins, TrustedProxies.NONE, ForwardLimits.DEFAULT);
    }

    public Gateway withTrusted(TrustedProxies value) {
        return new Gateway(origins, value, limits);
    }

    public Gateway withLimits(ForwardLimits value) {
        return new Gateway(origins, trusted, value);
    }
}
