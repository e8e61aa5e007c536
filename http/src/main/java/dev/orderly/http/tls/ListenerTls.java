package dev.orderly.http.tls;

import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.KeyCertOptions;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * TLS 1.2 and 1.3 for a listener, which offers HTTP/2 and HTTP/1.1 by ALPN.
 *
 * @param certificates may be replaced at any time
 * @param clients authentication of clients by certificates; null for none
 * @param library does the cryptography
 */
public record ListenerTls(CurrentCertificates certificates, @Nullable ClientAuthorities clients, TlsLibrary library) {
    /** TLS without authentication of clients, by the fastest library of this platform. */
    public static ListenerTls of(CurrentCertificates certificates) {
        return new ListenerTls(certificates, null, TlsLibrary.fastest());
    }

    public ListenerTls withClients(@Nullable ClientAuthorities value) {
        return new ListenerTls(certificates, value, library);
    }

    public ListenerTls withLibrary(TlsLibrary value) {
        return new ListenerTls(certificates, clients, value);
    }

    /**
     * Makes a server's connections TLS.
     *
     * @param handshake longest time of a handshake
     * @param accepted called with each new connection
     * @return frees what TLS holds outside the heap, to be called after the server is closed
     */
    public Runnable apply(HttpServerOptions options, Duration handshake, AcceptedChannel accepted) {
        TlsEngine engine = new TlsEngine(this, handshake, accepted);
        options.setSsl(true).setUseAlpn(true)
                .setAlpnVersions(List.of(HttpVersion.HTTP_2, HttpVersion.HTTP_1_1, HttpVersion.HTTP_1_0))
                .setKeyCertOptions(KeyCertOptions.wrap(new CertificateKeyManager(certificates)))
                .setEnabledSecureTransportProtocols(Set.copyOf(TlsContextBuilder.VERSIONS))
                .setSslHandshakeTimeoutUnit(TimeUnit.MILLISECONDS).setSslHandshakeTimeout(handshake.toMillis())
                .setSslEngineOptions(engine);
        return engine::close;
    }
}
