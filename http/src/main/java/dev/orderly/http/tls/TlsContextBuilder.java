package dev.orderly.http.tls;

import io.netty.handler.codec.http2.Http2SecurityUtil;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.OpenSslContextOption;
import io.netty.handler.ssl.OpenSslServerSessionContext;
import io.netty.handler.ssl.OpenSslSessionTicketKey;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * Makes contexts with the rules of a listener: TLS 1.2 and 1.3, and only suites with forward secrecy and authenticated
 * encryption.
 *
 * @param protocols offered by ALPN, the preferred one first
 * @param clients authentication of clients; null for none
 */
record TlsContextBuilder(List<String> protocols, @Nullable ClientAuthorities clients) {
    /** The versions of TLS. */
    static final List<String> VERSIONS = List.of("TLSv1.3", "TLSv1.2");
    /** Clients resume a session for a day at most. */
    static final Duration SESSIONS = Duration.ofDays(1);
    /** The type that derives no key from a password: Netty passes the key through a store without one. */
    private static final String IN_MEMORY = "JKS";
    private static final byte[] CONTEXT = "orderly".getBytes(StandardCharsets.US_ASCII);

    /** A context of the JDK for all certificates of a listener, whenever they are replaced. */
    SslContext jdk(CurrentCertificates certificates) throws SSLException {
        return ruled(SslContextBuilder.forServer(new CertificateKeyManager(certificates)), SslProvider.JDK).build();
    }

    /**
     * A native context for one certificate.
     *
     * @param tickets the keys of session tickets: new tickets get the first one
     * @return to be released after use
     * @throws SSLException if the library does not support the key
     */
    SslContext boringSsl(ServerCertificate certificate, OpenSslSessionTicketKey... tickets) throws SSLException {
        SslContextBuilder builder = ruled(SslContextBuilder.forServer(certificate.key(), certificate.chain()),
                SslProvider.OPENSSL_REFCNT).keyStoreType(IN_MEMORY).option(OpenSslContextOption.USE_TASKS, false);
        SslContext made = (clients == null ? builder.trustManager(nobody()) : builder).build();
        if (made.sessionContext() instanceof OpenSslServerSessionContext sessions) {
            sessions.setSessionCacheEnabled(false); // tickets need no memory here
            sessions.setTicketKeys(tickets);
            sessions.setSessionIdContext(CONTEXT); // otherwise each context refuses the sessions of others
            return made;
        }
        ReferenceCountUtil.release(made);
        throw new SSLException("The library has no session tickets");
    }

    private SslContextBuilder ruled(SslContextBuilder builder, SslProvider provider) {
        builder.sslProvider(provider).protocols(VERSIONS)
                .ciphers(Http2SecurityUtil.CIPHERS, SupportedCipherSuiteFilter.INSTANCE)
                .sessionTimeout(SESSIONS.toSeconds())
                .applicationProtocolConfig(new ApplicationProtocolConfig(Protocol.ALPN,
                        SelectorFailureBehavior.NO_ADVERTISE, SelectedListenerFailureBehavior.ACCEPT, protocols));
        if (clients != null) {
            builder.trustManager(clients.authorities())
                    .clientAuth(clients.required() ? ClientAuth.REQUIRE : ClientAuth.OPTIONAL);
        }
        return builder;
    }

    /** Trusts no certificate. Without it each context would load the authorities of the JDK and never ask them. */
    private static TrustManagerFactory nobody() throws SSLException {
        try {
            KeyStore empty = KeyStore.getInstance(KeyStore.getDefaultType());
            empty.load(null, null);
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(empty);
            return factory;
        } catch (GeneralSecurityException | IOException e) {
            throw new SSLException(e);
        }
    }
}
