package dev.orderly.http.acme;

import dev.orderly.http.tls.TlsChallenges;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.KeyPair;
import java.util.Base64;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.shredzone.acme4j.Identifier;
import org.shredzone.acme4j.util.CertificateUtils;
import org.shredzone.acme4j.util.KeyPairUtils;

/**
 * The challenges of an authority that are open now: it fetches each from port 80 of the domain (HTTP-01), or by a
 * handshake with port 443 (TLS-ALPN-01), and so sees that the domain leads here. Thread-safe; bounded by the domains of
 * one order.
 */
public final class OpenChallenges implements TlsChallenges {
    /** The path of all challenges over HTTP; the token follows. */
    public static final String PATH = "/.well-known/acme-challenge/";

    /** An RSA key: the certificate of a challenge is signed by it, and acme4j signs with RSA only. */
    private static final int KEY_BITS = 2_048;

    private final Supplier<KeyPair> keys;
    private volatile Answers answers = Answers.NONE;
    private volatile Map<String, SslContext> certificates = Map.of();

    /** None is open. */
    public OpenChallenges() {
        this(() -> KeyPairUtils.createKeyPair(KEY_BITS));
    }

    /** @param keys makes an RSA key for the certificates of an order */
    OpenChallenges(Supplier<KeyPair> keys) {
        this.keys = keys;
    }

    /**
     * The answers to the challenges of one order, as nodes share them.
     *
     * @param http the answer by token
     * @param tls the value in the certificate, in Base64, by domain
     */
    record Answers(Map<String, String> http, Map<String, String> tls) {
        static final Answers NONE = new Answers(Map.of(), Map.of());

        Answers {
            http = Map.copyOf(http);
            tls = Map.copyOf(tls);
        }

        /** The value in the certificate of a challenge, in the form of {@link #tls}. */
        static String text(byte[] validation) {
            return Base64.getEncoder().encodeToString(validation);
        }
    }

    /** Answers these challenges from now on, and no others. Makes certificates; blocks for up to a second. */
    void replace(Answers next) {
        if (!next.equals(answers)) {
            Map<String, SslContext> made = new HashMap<>();
            if (!next.tls().isEmpty()) {
                KeyPair key = keys.get();
                next.tls().forEach((domain, value) -> made.put(domain.toLowerCase(Locale.ROOT),
                        context(key, domain, value)));
            }
            certificates = Map.copyOf(made);
            answers = next;
        }
    }

    private static SslContext context(KeyPair key, String domain, String value) {
        try {
            return SslContextBuilder
                    .forServer(key.getPrivate(), CertificateUtils.createTlsAlpn01Certificate(key,
                            Identifier.dns(domain), Base64.getDecoder().decode(value)))
                    .sslProvider(SslProvider.JDK)
                    .applicationProtocolConfig(new ApplicationProtocolConfig(Protocol.ALPN,
                            SelectorFailureBehavior.NO_ADVERTISE, SelectedListenerFailureBehavior.ACCEPT, PROTOCOL))
                    .build();
        } catch (IOException e) {
            throw new UncheckedIOException("No certificate for the challenge of " + domain, e);
        }
    }

    /** The answer to an open challenge over HTTP. */
    public Optional<String> answer(String path) {
        return path.startsWith(PATH)
                ? Optional.ofNullable(answers.http().get(path.substring(PATH.length())))
                : Optional.empty();
    }

    @Override
    public boolean isOpen() {
        return !certificates.isEmpty();
    }

    @Override
    public Optional<SslContext> find(String host) {
        return Optional.ofNullable(certificates.get(host));
    }
}
