package dev.orderly.web.edge;

import dev.orderly.Internal;
import dev.orderly.web.message.RequestHead;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * The sender of a request: the peer of the connection and the client behind it, each derived at most once. Derivations
 * are repeatable, so that several threads may ask.
 */
@Internal(to = "dev.orderly")
public final class Sender {
    private final RequestHead head;
    private final TrustedProxies trusted;
    private @Nullable InetAddress peer;
    private @Nullable ClientAddress client;

    Sender(RequestHead head, TrustedProxies trusted) {
        this.head = head;
        this.trusted = trusted;
    }

    /** Whether the peer is a trusted proxy. */
    public boolean isProxy() {
        return !trusted.blocks().isEmpty() && trusted.contain(peer());
    }

    /**
     * Whether the request has {@code X-Forwarded-For} that does not count, since the peer is no trusted proxy. Not if
     * the header names the peer: a server that has read the header itself shows the client as the peer.
     */
    public boolean isForwardedInVain() {
        return head.headers().contains(ClientAddress.FORWARDED_FOR) && !isProxy()
                && !ClientAddress.isNamed(peer(), head);
    }

    /** Whether the request claims TLS by {@code X-Forwarded-Proto}, which does not count, as the peer is no proxy. */
    public boolean isSecureInVain() {
        return "https".equalsIgnoreCase(head.headers().get("X-Forwarded-Proto")) && !head.tls() && !isProxy();
    }

    /** Whether the client's own connection has TLS, here or according to a trusted proxy. */
    public boolean isSecure() {
        return trusted.isSecure(head);
    }

    /** The address of the client: the peer, or the address that a trusted proxy forwarded. */
    public ClientAddress client() {
        ClientAddress known = client;
        if (known == null) {
            known = ClientAddress.of(peer(), head, trusted);
            client = known;
        }
        return known;
    }

    private InetAddress peer() {
        InetAddress known = peer;
        if (known == null) {
            known = ClientAddress.peer(head);
            peer = known;
        }
        return known;
    }
}
