package dev.orderly.http.tls;

import dev.orderly.flow.BackgroundLoop;
import dev.orderly.flow.LogLimit;
import dev.orderly.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Certificates in files, read again when the content of a file changes. Files that cannot be used change nothing: they
 * are one line in the log and a detail of the health, until they are mended. Reads on a thread of its own. Started
 * once, closed once; thread-safe.
 */
public final class CertificateFiles implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CertificateFiles.class);
    private static final Duration INTERVAL = Duration.ofSeconds(5);
    private static final Duration DAY = Duration.ofDays(1);
    private static final Duration STOP = Duration.ofSeconds(2);

    private final Time time;
    private final CurrentCertificates current;
    private final BackgroundLoop loop;
    private final LogLimit ends;
    private final AtomicReference<Watched> watched;
    private volatile @Nullable String problem;

    /** Files under watch. */
    private static final class Watched {
        private final List<CertificateSource> sources;
        private final List<String> hosts;
        /** The content in use, or the unusable content that was reported. Belongs to the loop. */
        private String known;
        /** The content of the last look. A certificate and its key are written one after the other. */
        private String seen;

        Watched(List<CertificateSource> sources, Collection<String> hosts, String digest) {
            this.sources = List.copyOf(sources);
            this.hosts = List.copyOf(hosts);
            this.known = digest;
            this.seen = digest;
        }
    }

    private CertificateFiles(Watched first, HostCertificates certificates, Time time) {
        this.time = time;
        this.watched = new AtomicReference<>(first);
        this.current = new CurrentCertificates(certificates);
        this.ends = new LogLimit(LOG, time, DAY);
        this.loop = new BackgroundLoop("certificates", time, this::step);
    }

    /**
     * Reads the files, and logs what clients will object to. Blocks.
     *
     * @param sources the first one is for clients that name no host, or an unknown host
     * @param hosts that clients will ask for, in their normal form; empty if unknown
     * @throws UnusableCertificateException with a remedy, if one of the files cannot be used
     */
    public static CertificateFiles read(List<CertificateSource> sources, Collection<String> hosts, Time time)
            throws UnusableCertificateException {
        Watched first = new Watched(sources, hosts, digest(sources));
        CertificateFiles files = new CertificateFiles(first, certificates(sources), time);
        files.warn(first);
        return files;
    }

    /**
     * Uses other files, or reads the same files anew. Blocks.
     *
     * @throws UnusableCertificateException if one cannot be used; nothing has changed then
     */
    public void change(List<CertificateSource> sources, Collection<String> hosts) throws UnusableCertificateException {
        Watched next = new Watched(sources, hosts, digest(sources));
        HostCertificates certificates = certificates(sources);
        watched.set(next);
        current.replace(certificates);
        problem = null;
        warn(next);
    }

    /** The certificates for a listener. */
    public CurrentCertificates current() {
        return current;
    }

    /** Starts to look for changes. */
    public void start() {
        loop.start();
    }

    @Override
    public void close() {
        loop.stop(STOP);
    }

    /** The present faults, for an operator; empty if there are none. */
    public List<String> faults() {
        List<String> faults = new ArrayList<>(Optional.ofNullable(problem).stream().toList());
        faults.addAll(CertificateCheck.lives(current.get(), time.now()));
        return faults;
    }

    /** Looks once for changes. Returns the wait until the next look. */
    Duration step() {
        Watched files = watched.get();
        String found = found(files);
        if (found.equals(files.seen) && !found.equals(files.known)) {
            files.known = found;
            take(files);
        }
        files.seen = found;
        CertificateCheck.lives(current.get(), time.now()).stream().findFirst().ifPresent(ends::warn);
        return INTERVAL;
    }

    /** The digest of the files, or the reason why there is none. */
    private static String found(Watched files) {
        try {
            return digest(files.sources);
        } catch (UnusableCertificateException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private void take(Watched files) {
        try {
            current.replace(certificates(files.sources));
            problem = null;
            LOG.info("New certificates are in use: {}", current.get().all());
            warn(files);
        } catch (UnusableCertificateException e) {
            problem = "The certificates before stay in use. " + e.getMessage();
            LOG.warn("Changed certificate files are not used, the certificates before stay in use. {}",
                    e.getMessage());
        }
        Watched newest = watched.get();
        if (newest != files) { // replaced meanwhile: the newest files count, whichever came first
            take(newest);
        }
    }

    private void warn(Watched files) {
        CertificateCheck.lasting(current.get(), files.hosts).forEach(LOG::warn);
    }

    private static HostCertificates certificates(List<CertificateSource> sources) throws UnusableCertificateException {
        List<ServerCertificate> all = new ArrayList<>();
        for (CertificateSource source : sources) {
            all.add(CertificateReader.read(source));
        }
        return new HostCertificates(all);
    }

    private static String digest(List<CertificateSource> sources) throws UnusableCertificateException {
        StringBuilder all = new StringBuilder();
        for (CertificateSource source : sources) {
            all.append(CertificateReader.digest(source));
        }
        return all.toString();
    }
}
