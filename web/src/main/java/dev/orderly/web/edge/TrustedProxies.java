package dev.orderly.web.edge;

import dev.orderly.web.message.RequestHead;
import java.net.InetAddress;
import java.util.List;
import java.util.Objects;

/** The proxies in front of this edge whose {@code X-Forwarded-} headers are trusted. */
public record TrustedProxies(List<CidrBlock> blocks) {
    /** No proxies: every peer is a client. */
    public static final TrustedProxies NONE = new TrustedProxies(List.of());

    public TrustedProxies {
        Objects.requireNonNull(blocks, "blocks");
        blocks = List.copyOf(blocks);
    }

    /** @throws IllegalArgumentException if a text is not an address block */
    public static TrustedProxies of(String... blocks) {
        Objects.requireNonNull(blocks, "blocks");
        return new TrustedProxies(List.of(blocks).stream().map(CidrBlock::parse).toList());
    }

    public boolean contain(InetAddress address) {
        for (CidrBlock block : blocks) {
            if (block.contains(address)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the client's own connection has TLS: here, or according to the trusted proxy in front. */
    public boolean isSecure(RequestHead head) {
        String forwarded = head.headers().get("X-Forwarded-Proto");
        return (forwarded != null && containPeer(head.peer())) ? forwarded.equalsIgnoreCase("https") : head.tls();
    }

    /** Whether the peer of a connection is a trusted proxy. */
    public boolean containPeer(String peer) {
        Objects.requireNonNull(peer, "peer");
        return !blocks.isEmpty() && CidrBlock.literal(peer).map(this::contain).orElse(false);
    }
}
