package dev.orderly.http.tls;

import io.netty.channel.Channel;

/** Hears of connections before their handshake, when nothing of them is known but their addresses. */
@FunctionalInterface
public interface AcceptedChannel {
    /** Called on the connection's event loop; closes the channel to refuse it. Must not block. */
    void accepted(Channel channel);
}
