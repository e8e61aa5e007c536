package dev.orderly.http.edge;

import dev.orderly.http.listener.ClientKeys;
import dev.orderly.http.message.RequestHead;
import org.jspecify.annotations.Nullable;

/** Identifies clients by {@link ClientAddress#key}: behind a trusted proxy, by the forwarded address. */
public record AddressKeys(TrustedProxies trusted) implements ClientKeys {
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
