package dev.orderly.http.gateway;

import dev.orderly.web.edge.ClientAddress;
import dev.orderly.web.edge.TrustedProxies;
import dev.orderly.web.message.Header;
import dev.orderly.web.message.Headers;
import dev.orderly.web.message.RequestHead;
import dev.orderly.web.route.ExchangeContext;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpVersion;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The headers that an origin gets. Thread-safe. */
final class RequestHeaders {
    /** The name of this edge in {@code Via}, after the version of the received protocol (RFC 9110, section 7.6.3). */
    private static final String NAME = " orderly";

    private final Origin origin;
    private final TrustedProxies trusted;

    RequestHeaders(Origin origin, TrustedProxies trusted) {
        this.origin = origin;
        this.trusted = trusted;
    }

    /**
     * Fills empty headers from those of a client.
     *
     * @param received the version of HTTP in which the request came
     */
    void write(RequestHead head, HttpVersion received, ExchangeContext additions, MultiMap to) {
        Headers from = head.headers();
        Set<String> named = HeaderRules.named(from.getAll("Connection"));
        String host = String.valueOf(from.get("Host")).strip();
        if (origin.host() == Origin.Host.CLIENT) {
            to.add("Host", host);
        } else {
            to.add("Host", origin.uri().getRawAuthority());
        }
        from.forEach((name, value) -> {
            if (!HeaderRules.endsHereInRequest(name, named)) {
                to.add(name, value);
            }
        });
        forwarded(head, received, host, to);
        for (Header added : additions.forwarded()) {
            to.remove(added.name());
        }
        for (Header added : additions.forwarded()) {
            to.add(added.name(), added.value());
        }
    }

    private void forwarded(RequestHead head, HttpVersion received, String host, MultiMap to) {
        String proto = trusted.isSecure(head) ? "https" : "http";
        String peer = head.peer();
        String chain = peer;
        String own = via(received);
        String via = own;
        if (trusted.containPeer(peer)) {
            List<String> hops = ClientAddress.chain(head);
            chain = hops.isEmpty() ? peer : String.join(", ", hops) + ", " + peer;
            List<String> vias = head.headers().getAll("Via");
            via = vias.isEmpty() ? own : String.join(", ", vias) + ", " + own;
        }
        to.add("X-Forwarded-For", chain);
        to.add("X-Forwarded-Proto", proto);
        to.add("X-Forwarded-Host", host);
        to.add("X-Forwarded-Port", port(host, proto));
        to.add("Forwarded", rfc7239(chain, host, proto));
        to.add("Via", via);
    }

    private static String via(HttpVersion received) {
        return switch (received) {
            case HTTP_1_0 -> "1.0" + NAME;
            case HTTP_1_1 -> "1.1" + NAME;
            case HTTP_2 -> "2.0" + NAME;
            case HTTP_3 -> "3.0" + NAME;
        };
    }

    private static String port(String host, String proto) {
        int colon = host.lastIndexOf(':');
        if (colon > host.lastIndexOf(']') && colon < host.length() - 1) {
            return host.substring(colon + 1);
        }
        return proto.equals("https") ? "443" : "80";
    }

    /** The chain as one header of RFC 7239; host and protocol belong to the element of this hop. */
    private static String rfc7239(String chain, String host, String proto) {
        String last = ";host=\"" + host + "\";proto=" + proto;
        if (chain.indexOf(',') < 0) {
            return "for=" + node(chain) + last;
        }
        StringBuilder all = new StringBuilder();
        for (String hop : chain.split(",", -1)) {
            all.append(all.isEmpty() ? "for=" : ", for=").append(node(hop.strip()));
        }
        return all.append(last).toString();
    }

    private static String node(String address) {
        if (address.indexOf(':') < 0 && isToken(address)) {
            return address;
        }
        String bare = address.replaceAll("[^0-9A-Fa-f:.]", "");
        return address.indexOf(':') >= 0 && !bare.isEmpty() ? "\"[" + bare + "]\"" : "unknown";
    }

    private static boolean isToken(@Nullable String text) {
        return text != null && !text.isEmpty() && text.chars()
                .allMatch(c -> c == '.' || c == '-' || c == '_' || (c < 128 && Character.isLetterOrDigit(c)));
    }
}
