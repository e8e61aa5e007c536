package dev.orderly.http.gateway;

import java.util.Comparator;
import java.util.List;

/**
 * What the edge does beside its routes.
 *
 * @param origins get what no route takes; none: it is 404. If each names its hosts, other hosts are answered 421
 * @param trusted proxies in front of the edge
 * @param limits of what is forwarded
 */
public record Gateway(List<Origin> origins, TrustedProxies trusted, ForwardLimits limits) {
    /** Routes only. */
    public static final Gateway NONE = of(List.of());

    /** @throws IllegalArgumentException if two origins have one pattern on one host */
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
