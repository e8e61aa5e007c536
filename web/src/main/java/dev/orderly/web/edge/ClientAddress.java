package dev.orderly.web.edge;

import dev.orderly.Internal;
import dev.orderly.web.message.RequestHead;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;

/**
 * The address of a request's client: the peer of the connection, or, if that is a trusted proxy, the last address in
 * {@code X-Forwarded-For} that is not a trusted proxy.
 */
@Internal(to = "dev.orderly")
public record ClientAddress(InetAddress address) {
    static final String FORWARDED_FOR = "X-Forwarded-For";
    private static final int HOPS_MAX = 32;

    /**
     * Determines the address. Makes no name lookup.
     *
     * @throws IllegalArgumentException if the peer is not a literal address
     */
    public static ClientAddress of(RequestHead head, TrustedProxies trusted) {
        return of(peer(head), head, trusted);
    }

    static InetAddress peer(RequestHead head) {
        return CidrBlock.literal(head.peer())
                .orElseThrow(() -> new IllegalArgumentException("Not an address: " + head.peer()));
    }

    static ClientAddress of(InetAddress peer, RequestHead head, TrustedProxies trusted) {
        if (!trusted.contain(peer)) {
            return new ClientAddress(peer);
        }
        InetAddress client = peer;
        String[] hops = String.join(",", chain(head)).split(",", -1);
        for (int i = hops.length - 1; i >= Math.max(0, hops.length - HOPS_MAX); i--) {
            Optional<InetAddress> hop = hop(hops[i].strip());
            if (hop.isEmpty()) {
                break; // not written by a trusted proxy
            }
            client = hop.get();
            if (!trusted.contain(client)) {
                break;
            }
        }
        return new ClientAddress(client);
    }

    /** Whether {@code X-Forwarded-For} names this address, as far as its ends of {@value #HOPS_MAX} hops go. */
    static boolean isNamed(InetAddress address, RequestHead head) {
        String[] hops = String.join(",", chain(head)).split(",", -1);
        for (int i = 0; i < hops.length; i++) {
            boolean near = i < HOPS_MAX || i >= hops.length - HOPS_MAX;
            if (near && hop(hops[i].strip()).filter(address::equals).isPresent()) {
                return true;
            }
        }
        return false;
    }

    public static List<String> chain(RequestHead head) {
        return head.headers().getAll(FORWARDED_FOR);
    }

    /** Parses an address, with an optional port. */
    private static Optional<InetAddress> hop(String text) {
        int bracket = text.indexOf(']');
        if (text.startsWith("[") && bracket > 0) {
            return CidrBlock.literal(text.substring(1, bracket));
        }
        int colon = text.indexOf(':');
        boolean port = colon > 0 && text.indexOf(':', colon + 1) < 0;
        return CidrBlock.literal(port ? text.substring(0, colon) : text);
    }

    /**
     * The key by which clients are counted and limited: an IPv4 address, or the /64 of an IPv6 address, usually one
     * household.
     */
    public String key() {
        return prefix(64);
    }

    /**
     * The key of everything that one customer of a provider holds: an IPv4 address, whose neighbours belong to others,
     * or the /56 of an IPv6 address, which has 256 keys of clients.
     */
    public String networkKey() {
        return prefix(56);
    }

    private String prefix(int bits) {
        if (address instanceof Inet4Address) {
            return address.getHostAddress();
        }
        try {
            return InetAddress.getByAddress(CidrBlock.prefix(address, bits)).getHostAddress() + "/" + bits;
        } catch (UnknownHostException e) {
            throw new IllegalStateException("An address of an unknown length: " + address, e);
        }
    }
}
