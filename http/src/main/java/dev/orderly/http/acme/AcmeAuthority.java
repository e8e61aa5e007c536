package dev.orderly.http.acme;

import dev.orderly.http.acme.OpenChallenges.Answers;
import dev.orderly.http.tls.CertificateReader;
import dev.orderly.http.tls.UnusableCertificateException;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.shredzone.acme4j.AccountBuilder;
import org.shredzone.acme4j.Authorization;
import org.shredzone.acme4j.Login;
import org.shredzone.acme4j.Order;
import org.shredzone.acme4j.Problem;
import org.shredzone.acme4j.Session;
import org.shredzone.acme4j.Status;
import org.shredzone.acme4j.challenge.Challenge;
import org.shredzone.acme4j.challenge.Http01Challenge;
import org.shredzone.acme4j.challenge.TlsAlpn01Challenge;
import org.shredzone.acme4j.connector.NetworkSettings;
import org.shredzone.acme4j.exception.AcmeException;
import org.shredzone.acme4j.exception.AcmeLazyLoadingException;
import org.shredzone.acme4j.exception.AcmeRateLimitedException;
import org.shredzone.acme4j.exception.AcmeServerException;
import org.shredzone.acme4j.provider.GenericAcmeProvider;
import org.shredzone.acme4j.util.KeyPairUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An authority that speaks ACME, with the account of this server. A request agrees to the authority's terms. */
final class AcmeAuthority implements CertificateAuthority {
    private static final Logger LOG = LoggerFactory.getLogger(AcmeAuthority.class);
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration NETWORK = Duration.ofSeconds(20);
    private static final String CURVE = "secp256r1";

    private final AcmeOptions options;
    private final AcmeStorage storage;
    private final ChallengePublisher publisher;

    AcmeAuthority(AcmeOptions options, AcmeStorage storage, ChallengePublisher publisher) {
        this.options = options;
        this.storage = storage;
        this.publisher = publisher;
    }

    /** Makes challenges answered, wherever the domains lead. */
    @FunctionalInterface
    interface ChallengePublisher {
        /** Returns when every node answers. */
        void publish(Answers answers) throws IssuanceException, InterruptedException;
    }

    @Override
    public IssuedCertificate issue() throws IssuanceException, InterruptedException {
        try {
            Session session = new Session(options.directory(), new Directory(options.authorities()));
            session.networkSettings().setTimeout(NETWORK);
            Order order = login(session).newOrder().domains(options.domains()).create();
            prove(order.getAuthorizations());
            order.waitUntilReady(PATIENCE);
            KeyPair key = KeyPairUtils.createECKeyPair(CURVE);
            order.execute(key);
            if (order.waitForCompletion(PATIENCE) != Status.VALID) {
                throw refused(
                        "the order is " + order.getStatus() + order.getError().map(AcmeAuthority::shown).orElse(""));
            }
            return new IssuedCertificate(order.getCertificate().getCertificateChain(), key.getPrivate());
        } catch (AcmeRateLimitedException e) {
            throw failed("it limits requests: " + e.getMessage(), e.getRetryAfter().orElse(null), e);
        } catch (AcmeServerException e) {
            throw failed("it refuses: " + e.getMessage(), null, e);
        } catch (AcmeException | AcmeLazyLoadingException e) {
            throw failed("it does not answer as it should (" + reasonOf(e)
                    + "): check the address, and that this machine reaches it", null, e);
        } catch (IOException | GeneralSecurityException | UnusableCertificateException e) {
            throw failed("a file or key cannot be used (" + e.getMessage() + "): check the folder "
                    + options.folder() + " and the file of authorities", null, e);
        }
    }

    /** The account of the kept key; the authority makes it if it does not know the key. */
    private Login login(Session session) throws AcmeException, IOException, UnusableCertificateException {
        KeyPair key = storage.accountKey(() -> KeyPairUtils.createECKeyPair(CURVE));
        session.getMetadata().getTermsOfService().ifPresent(terms -> LOG.info(
                "A certificate of {} is requested, which agrees to its terms: {}", options.directory().getHost(),
                terms));
        AccountBuilder account = new AccountBuilder().agreeToTermsOfService().useKeyPair(key);
        if (options.email() != null) {
            account.addEmail(options.email());
        }
        return account.createLogin(session);
    }

    /** Opens the challenges of all domains that the authority does not know yet, and waits until it has seen them. */
    private void prove(List<Authorization> authorizations)
            throws AcmeException, IssuanceException, InterruptedException {
        List<Authorization> open = authorizations.stream()
                .filter(authorization -> authorization.getStatus() != Status.VALID).toList();
        Map<String, String> http = new HashMap<>();
        Map<String, String> tls = new HashMap<>();
        for (Authorization authorization : open) {
            String domain = authorization.getIdentifier().getDomain();
            switch (challenge(authorization)) {
                case Http01Challenge one -> http.put(one.getToken(), one.getAuthorization());
                case TlsAlpn01Challenge one -> tls.put(domain, Answers.text(one.getAcmeValidation()));
                default -> throw refused("it offers no " + options.challenge().text() + " for " + domain);
            }
        }
        if (open.isEmpty()) {
            return;
        }
        publisher.publish(new Answers(http, tls));
        for (Authorization authorization : open) {
            challenge(authorization).trigger();
        }
        for (Authorization authorization : open) {
            Challenge challenge = challenge(authorization);
            if (challenge.waitForCompletion(PATIENCE) != Status.VALID) {
                throw unseen(authorization.getIdentifier().getDomain(), challenge);
            }
        }
    }

    private Challenge challenge(Authorization authorization) throws IssuanceException {
        return authorization.findChallenge(options.challenge().text()).orElseThrow(() -> refused("it offers no "
                + options.challenge().text() + " for " + authorization.getIdentifier().getDomain()));
    }

    private IssuanceException unseen(String domain, Challenge challenge) {
        String reason = " (" + challenge.getError().map(AcmeAuthority::shown).orElse("no answer in time") + "): ";
        return refused(switch (options.challenge()) {
            case HTTP_01 -> "it did not find its challenge at http://" + domain + OpenChallenges.PATH + reason
                    + "let port 80 of " + domain + " lead to edge.redirect-port of this server";
            case TLS_ALPN_01 -> "it did not find its challenge by TLS at port 443 of " + domain + reason
                    + "let port 443 of " + domain + " lead to edge.port of this server, without a proxy that ends TLS";
        });
    }

    private IssuanceException refused(String reason) {
        return failed(reason, null, null);
    }

    private IssuanceException failed(String reason, @Nullable Instant retryAt, @Nullable Throwable cause) {
        return new IssuanceException("No certificate for " + String.join(", ", options.domains()) + " from "
                + options.directory() + ": " + reason, retryAt, cause);
    }

    private static String reasonOf(Throwable failure) {
        Throwable last = failure;
        while (last.getCause() != null) {
            last = last.getCause();
        }
        return String.valueOf(last);
    }

    private static String shown(Problem problem) {
        return problem.getDetail().or(problem::getTitle).orElse(problem.getType().toString());
    }

    /** A directory at an address, whose certificate may come from a private authority. */
    private static final class Directory extends GenericAcmeProvider {
        private final Optional<SSLContext> trust;

        Directory(@Nullable Path authorities)
                throws IOException, GeneralSecurityException, UnusableCertificateException {
            this.trust = authorities == null ? Optional.empty() : Optional.of(trusting(authorities));
        }

        @Override
        public HttpClient createHttpClient(NetworkSettings settings) {
            HttpClient.Builder client = HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NORMAL)
                    .connectTimeout(settings.getTimeout());
            trust.ifPresent(client::sslContext);
            return client.build();
        }

        private static SSLContext trusting(Path authorities)
                throws IOException, GeneralSecurityException, UnusableCertificateException {
            KeyStore known = KeyStore.getInstance(KeyStore.getDefaultType());
            known.load(null, null);
            for (Certificate one : CertificateReader.authorities(authorities)) {
                known.setCertificateEntry("authority-" + known.size(), one);
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(known);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        }
    }
}
