package dev.orderly.http.acme;

import dev.orderly.flow.BackgroundLoop;
import dev.orderly.http.acme.OpenChallenges.Answers;
import dev.orderly.http.acme.RenewalState.Failure;
import dev.orderly.http.tls.UnusableCertificateException;
import dev.orderly.store.KeyValueStore;
import dev.orderly.store.StoreException;
import dev.orderly.text.DurationText;
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
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import javax.crypto.SecretKey;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a certificate: requests the first one, and the next when a third of the life is left. Until the first one is
 * issued, the listener has a self-signed certificate, which no client trusts. A failure is one line in the log and a
 * fault for the health; the certificate in use stays. Started once, closed once; thread-safe.
 *
 * <p>Nodes of a shared store request one certificate among them: the node with the lease requests, every node answers
 * the challenges, and all take the certificate from the store. With a store of one process, the folder keeps it.
 */
public final class AcmeRenewal implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AcmeRenewal.class);
    /** The longest wait, after which folder and store are looked at again. */
    private static final Duration LOOK = Duration.ofHours(12);
    /** The same while another node may replace the certificate. */
    private static final Duration SHARED_LOOK = Duration.ofSeconds(30);
    /** The same while another node may open challenges. */
    static final Duration POLL = Duration.ofSeconds(1);
    /** The time in which every node has read the challenges of another. */
    private static final Duration SPREAD = Duration.ofSeconds(3);
    /** The time before a renewal from which on challenges are expected; more than clocks differ. */
    private static final Duration EARLY = Duration.ofMinutes(10);
    private static final Duration FIRST_RETRY = Duration.ofMinutes(1);
    private static final Duration LONGEST_RETRY = Duration.ofHours(6);
    private static final int DOUBLINGS = 9;
    private static final Duration STOP = Duration.ofSeconds(2);
    /** The share of a wait by which processes that started together drift apart. */
    private static final double JITTER = 0.1;

    private final AcmeOptions options;
    private final Places places;
    private final CertificateAuthority authority;
    private final Time time;
    private final RandomGenerator random;
    private final BackgroundLoop loop;
    /** Belongs to the loop, as the next ones. */
    private boolean retryNow = true;
    private long knownVersion = -1;
    private Instant due = Instant.MIN;
    private @Nullable IssuedCertificate unkept;
    private volatile @Nullable String fault;

    /**
     * Where a renewal keeps what it has.
     *
     * @param shared whether other nodes use the same places
     */
    record Places(AcmeFolder folder, AcmeStorage storage, RenewalLease lease, OpenChallenges challenges,
            boolean shared) {
        static Places of(AcmeOptions options, OpenChallenges challenges, KeyValueStore values,
                Supplier<List<SecretKey>> keys, Time time) throws IOException {
            AcmeFolder folder = new AcmeFolder(options.folder());
            AcmeKeys names = AcmeKeys.of(options);
            AcmeStorage storage = values.isShared()
                    ? new SharedStorage(values, names, new TextEncryption(keys.get()), folder, time)
                    : folder;
            return new Places(folder, storage, new RenewalLease(values, names.state(), time), challenges,
                    values.isShared());
        }
    }

    AcmeRenewal(AcmeOptions options, Places places, CertificateAuthority authority, Time time,
            RandomGenerator random) {
        this.options = options;
        this.places = places;
        this.authority = authority;
        this.time = time;
        this.random = random;
        this.loop = new BackgroundLoop("acme", time, this::step);
    }

    /**
     * Prepares the folder, and makes a self-signed certificate if there is none for these domains. Blocks on files and
     * on the store.
     *
     * @param challenges answered for every domain, on all nodes
     * @param keys of AES, for private keys in a shared store; the first one encrypts
     * @param time the clock of the store
     * @throws IOException if the folder cannot be used
     */
    public static AcmeRenewal of(AcmeOptions options, OpenChallenges challenges, KeyValueStore values,
            Supplier<List<SecretKey>> keys, Time time) throws IOException {
        Places places = Places.of(options, challenges, values, keys, time);
        AcmeFolder folder = places.folder();
        try {
            if (places.shared()) {
                fetch(options, places.storage());
            }
            folder.standIn(options.domains(), time.now());
        } catch (GeneralSecurityException | UnusableCertificateException e) {
            throw new IOException("The certificate in " + folder.certificateFile()
                    + " cannot be read: remove it to have another one issued", e);
        }
        return new AcmeRenewal(options, places, new AcmeAuthority(options, places.storage(),
                answers -> publish(options, places, answers, time)), time, new SecureRandom());
    }

    /** A node that joins the others begins with their certificate. What fails here is reported by the first step. */
    private static void fetch(AcmeOptions options, AcmeStorage storage) throws GeneralSecurityException, IOException {
        try {
            storage.issued(options.domains());
        } catch (UnusableCertificateException | StoreException e) {
            LOG.debug("The certificate of the other nodes is not used now", e);
        }
    }

    private static void publish(AcmeOptions options, Places places, Answers answers, Time time)
            throws IssuanceException, InterruptedException {
        places.challenges().replace(answers);
        if (!places.lease().publish(answers)) {
            throw new IssuanceException("No certificate for " + String.join(", ", options.domains())
                    + ": another node has taken over", null, null);
        }
        if (places.shared()) {
            long deadline = time.deadline(SPREAD);
            while (!time.reached(deadline)) {
                time.park(deadline);
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
            }
        }
    }

    /** The PEM file with the certificate and its key; exists from the start on, and is replaced at each renewal. */
    public Path certificate() {
        return places.folder().certificateFile();
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

    /**
     * Takes over what other nodes did, and requests a certificate if one is due. Returns the wait until the next step.
     */
    Duration step() {
        try {
            return keptUp();
        } catch (StoreException e) {
            return unusable(String.valueOf(e.getMessage()));
        } catch (IOException | GeneralSecurityException e) {
            return unusable("The ACME folder " + options.folder() + " cannot be used (" + e
                    + "): make it accessible for this user");
        } catch (UnusableCertificateException e) {
            return unusable(String.valueOf(e.getMessage()));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return LOOK;
        }
    }

    private Duration keptUp()
            throws IOException, GeneralSecurityException, UnusableCertificateException, InterruptedException {
        RenewalState state = places.lease().read();
        places.challenges().replace(state.answers());
        if (unkept != null) {
            keep(unkept);
        }
        if (!places.shared() || places.lease().version() != knownVersion || fault != null) {
            due = places.storage().issued(options.domains()).map(AcmeRenewal::renewalOf).orElse(Instant.MIN);
            knownVersion = places.lease().version();
        }
        fault = state.failure().times() == 0 ? null : state.failure().reason();
        if (time.now().isBefore(due)) {
            return untilDue(Duration.between(time.now(), due));
        }
        Duration wait = places.lease().wait(retryNow);
        if (wait.isPositive()) {
            return atMost(places.shared() ? POLL : LOOK, wait);
        }
        if (!places.lease().take()) {
            return POLL;
        }
        retryNow = false;
        return request(state.failure());
    }

    private Duration untilDue(Duration left) {
        if (!places.shared()) {
            return atMost(LOOK, left);
        }
        return left.compareTo(EARLY) > 0 ? atMost(SHARED_LOOK, left) : atMost(POLL, left);
    }

    private Duration request(Failure before) throws IOException, GeneralSecurityException, InterruptedException {
        try {
            IssuedCertificate issued = authority.issue();
            unkept = issued;
            keep(issued);
            LOG.info("A certificate for {} was issued: {}", String.join(", ", options.domains()), issued);
            fault = null;
            return places.shared() ? SHARED_LOOK : LOOK;
        } catch (IssuanceException e) {
            return failed(before, String.valueOf(e.getMessage()), e.retryAt().orElse(Instant.EPOCH));
        } finally {
            places.challenges().replace(Answers.NONE);
        }
    }

    /** Repeated by the next step if the store or the folder fails: the authority limits how many it issues. */
    private void keep(IssuedCertificate issued) throws IOException, GeneralSecurityException {
        places.storage().keep(issued);
        unkept = null;
        places.lease().end(Failure.NONE);
        due = renewalOf(issued.chain().getFirst());
        knownVersion = places.lease().version();
    }

    private Duration failed(Failure before, String reason, Instant wished) {
        Duration own = atMost(LONGEST_RETRY, FIRST_RETRY.multipliedBy(1L << Math.min(before.times(), DOUBLINGS)));
        Duration asked = Duration.between(time.now(), wished);
        Duration wait = asked.compareTo(own) > 0 ? asked : own;
        wait = wait.plus(Duration.ofMillis((long) (wait.toMillis() * JITTER * random.nextDouble())));
        long next = time.now().plus(wait).toEpochMilli();
        fault = reason;
        LOG.warn("{}. The next attempt is in {}; the certificate before stays in use", reason,
                DurationText.rounded(wait));
        places.lease().end(new Failure(before.times() + 1, reason, next, asked.isPositive() ? next : 0));
        return places.shared() ? POLL : wait;
    }

    /** A fault of this node or of its store. */
    private Duration unusable(String reason) {
        if (!reason.equals(fault)) {
            LOG.warn("{}. The certificate before stays in use", reason);
            fault = reason;
        }
        return FIRST_RETRY;
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
