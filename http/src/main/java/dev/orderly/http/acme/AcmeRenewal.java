package dev.orderly.http.acme;

import dev.orderly.flow.BackgroundLoop;
import dev.orderly.http.tls.UnusableCertificate;
import dev.orderly.time.Time;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a certificate in a folder: requests the first one, and the next when a third of the life is left. Until the
 * first one is issued, a certificate that no client trusts stands in. A failure is one line in the log and a fault for
 * the health; the certificate in use stays. Started once, closed once; thread-safe.
 */
public final class AcmeRenewal implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AcmeRenewal.class);
    /** The longest wait, after which the folder is looked at again. */
    private static final Duration LOOK = Duration.ofHours(12);
    private static final Duration FIRST_RETRY = Duration.ofMinutes(1);
    private static final Duration LONGEST_RETRY = Duration.ofHours(6);
    private static final Duration STOP = Duration.ofSeconds(2);
    /** The share of a wait by which processes that started together drift apart. */
    private static final double JITTER = 0.1;

    private final AcmeOptions options;
    private final AcmeFolder folder;
    private final CertificateAuthority authority;
    private final Time time;
    private final RandomGenerator random;
    private final BackgroundLoop loop;
    /** Belongs to the loop. */
    private Duration retry = FIRST_RETRY;
    private volatile @Nullable String fault;

    AcmeRenewal(AcmeOptions options, AcmeFolder folder, CertificateAuthority authority, Time time,
            RandomGenerator random) {
        this.options = options;
        this.folder = folder;
        this.authority = authority;
        this.time = time;
        this.random = random;
        this.loop = new BackgroundLoop("acme", time, this::step);
    }

    /**
     * Prepares the folder, and makes a certificate that stands in if there is none for these domains. Blocks on files.
     *
     * @param challenges answered on port 80 of every domain
     * @throws IOException if the folder cannot be used
     */
    public static AcmeRenewal of(AcmeOptions options, HttpChallenges challenges, Time time) throws IOException {
        AcmeFolder folder = new AcmeFolder(options.folder());
        try {
            folder.standIn(options.domains(), time.now());
        } catch (GeneralSecurityException | UnusableCertificate e) {
            throw new IOException("The certificate in " + folder.certificateFile()
                    + " cannot be read: remove it to have another one issued", e);
        }
        return new AcmeRenewal(options, folder, new AcmeAuthority(options, folder, challenges), time,
                new SecureRandom());
    }

    /** The PEM file with the certificate and its key; exists from the start on, and is replaced at each renewal. */
    public Path certificate() {
        return folder.certificateFile();
    }

    /** Starts to request and renew. Called when the challenges can be answered. */
    public void start() {
        loop.start();
    }

    @Override
    public void close() {
        loop.stop(STOP);
    }

    /** The present faults, for an operator; empty if there are none. */
    public List<String> faults() {
        return Optional.ofNullable(fault).stream().toList();
    }

    /** Requests a certificate if one is due. Returns the wait until the next step. */
    Duration step() {
        try {
            Optional<X509Certificate> known = folder.issued(options.domains());
            Instant due = known.map(AcmeRenewal::renewalOf).orElse(Instant.MIN);
            if (time.now().isBefore(due)) {
                return atMost(LOOK, Duration.between(time.now(), due));
            }
            IssuedCertificate issued = authority.issue();
            folder.keep(issued);
            LOG.info("A certificate for {} was issued: {}", String.join(", ", options.domains()), issued);
            fault = null;
            retry = FIRST_RETRY;
            return LOOK;
        } catch (NotIssued e) {
            return failed(String.valueOf(e.getMessage()), e.retryAt().orElse(Instant.MIN));
        } catch (IOException | GeneralSecurityException | UnusableCertificate e) {
            return failed("The ACME folder " + options.folder() + " cannot be used (" + e
                    + "): make it accessible for this user", Instant.MIN);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return LOOK;
        }
    }

    private Duration failed(String reason, Instant retryAt) {
        Duration wished = retryAt.equals(Instant.MIN) ? Duration.ZERO : Duration.between(time.now(), retryAt);
        Duration wait = wished.compareTo(retry) > 0 ? wished : retry;
        wait = wait.plus(Duration.ofMillis((long) (wait.toMillis() * JITTER * random.nextDouble())));
        retry = atMost(LONGEST_RETRY, retry.multipliedBy(2));
        fault = reason;
        LOG.warn("{}. The next attempt is in {} s; the certificate before stays in use", reason, wait.toSeconds());
        return wait;
    }

    /** The moment at which a third of the life is left. */
    private static Instant renewalOf(X509Certificate certificate) {
        Instant begin = certificate.getNotBefore().toInstant();
        Instant end = certificate.getNotAfter().toInstant();
        return end.minus(Duration.between(begin, end).dividedBy(3));
    }

    private static Duration atMost(Duration bound, Duration value) {
        return value.compareTo(bound) < 0 ? value : bound;
    }
}
