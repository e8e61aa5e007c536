package dev.orderly.http.tls;

import io.netty.handler.ssl.SslContext;

/** The contexts of a listener's handshakes. Thread-safe; does not block. */
interface TlsContexts extends AutoCloseable {
    /** The context for a client, by what it offers. Usable for a connection at once, not later. */
    SslContext choose(ClientHello hello);

    /** Frees what is held outside the heap; open connections keep their part. */
    @Override
    void close();
}
