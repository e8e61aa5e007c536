package dev.orderly.http;

import dev.orderly.http.listener.ClientKeys;
import dev.orderly.web.edge.CidrBlock;
import dev.orderly.web.edge.ClientAddress;
import dev.orderly.web.edge.TrustedProxies;
import dev.orderly.web.message.RequestHead;
import org.jspecify.annotations.Nullable;

/** Identifies clients by {@link ClientAddress#key}: behind a trusted proxy, by the forwarded address. */
record AddressKeys(TrustedProxies trusted) implements ClientKeys {
    @Override
    public @Nullable String ofPeer(String address) {
        return trusted.containPeer(address)
                ? null
                : CidrBlock.literal(address).map(literal -> new ClientAddress(literal).key()).orElse(address);
    }

    @Override
    public String of(RequestHead head) {
        return ClientAddress.of(head, trusted).key();
    }
}
