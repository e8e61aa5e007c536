package dev.orderly.http.tls;

import io.netty.handler.ssl.SslContext;
import javax.net.ssl.SSLException;

/** One context of the JDK, whose key manager chooses the certificate. */
record JdkContexts(SslContext context) implements TlsContexts {
    static JdkContexts of(TlsContextBuilder builder, CurrentCertificates certificates) throws SSLException {
        return new JdkContexts(builder.jdk(certificates));
    }

    @Override
    public SslContext choose(ClientHello hello) {
        return context;
    }

    @Override
    public void close() {
        // held on the heap only
    }
}
