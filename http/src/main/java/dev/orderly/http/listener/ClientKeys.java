package dev.orderly.http.listener;

import dev.orderly.http.message.RequestHead;
import org.jspecify.annotations.Nullable;

/** The keys by which clients are counted: the text of an address, or of the prefix that one household has. */
public interface ClientKeys {
    /** Each address at the other end of a connection is a client of its own. */
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

    /** The client that has a connection; null for a proxy, whose connections carry the requests of many clients. */
    @Nullable
    String ofPeer(String address);

    /** The client that sent a request. */
    String of(RequestHead head);
}
