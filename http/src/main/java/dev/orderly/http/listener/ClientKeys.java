package dev.orderly.http.listener;

import dev.orderly.web.message.RequestHead;
import org.jspecify.annotations.Nullable;

/** The keys by which clients are counted: the text of an address, or of the prefix of one household. */
public interface ClientKeys {
    /** Counts each peer address as one client. */
    ClientKeys PEERS = new ClientKeys() {
        @Override
        public String ofPeer(String address) {
            return address;
        }

        @Override
        public String of(RequestHead head) {
            return head.peer();
        }
    };

    /** The client of a connection; null for a proxy, whose connections carry requests of many clients. */
    @Nullable
    String ofPeer(String address);

    /** The client that sent a request. */
    String of(RequestHead head);
}
