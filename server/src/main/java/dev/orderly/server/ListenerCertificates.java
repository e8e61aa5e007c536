package dev.orderly.server;

import dev.orderly.VisitorStore;
import dev.orderly.about.About;
import dev.orderly.config.ListenAddress;
import dev.orderly.config.TlsConfig;
import dev.orderly.http.acme.AcmeOptions;
import dev.orderly.http.acme.AcmeRenewal;
import dev.orderly.http.acme.OpenChallenges;
import dev.orderly.http.listener.BindAddress;
import dev.orderly.http.listener.ListenerTransport;
import dev.orderly.http.tls.CertificateFiles;
import dev.orderly.http.tls.CertificateReader;
import dev.orderly.http.tls.ClientAuthorities;
import dev.orderly.http.tls.ListenerTls;
import dev.orderly.http.tls.UnusableCertificateException;
import dev.orderly.time.Time;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.crypto.SecretKey;
import org.jspecify.annotations.Nullable;

/**
 * The certificates of a listener, kept current while it runs, and issued where an authority is configured; nothing for
 * a listener without TLS.
 */
final class ListenerCertificates implements AutoCloseable {
    private final BindAddress bind;
    private final @Nullable CertificateFiles files;
    private final @Nullable ClientAuthorities clients;
    private final @Nullable AcmeRenewal acme;
    private final OpenChallenges challenges;

    private ListenerCertificates(BindAddress bind, @Nullable CertificateFiles files,
            @Nullable ClientAuthorities clients, @Nullable Issuing acme) {
        this.bind = bind;
        this.files = files;
        this.clients = clients;
        this.acme = acme == null ? null : acme.renewal;
        this.challenges = acme == null ? new OpenChallenges() : acme.challenges;
    }

    /**
     * Reads the certificates of files. Blocks.
     *
     * @param hosts that clients will ask for; empty if unknown
     * @throws StartFailedException if one cannot be used
     */
    static ListenerCertificates ofFiles(ListenAddress listener, Collection<String> hosts) {
        return of(listener, hosts, _ -> {
            throw new IllegalArgumentException("This listener has certificates of files only");
        });
    }

    /**
     * As {@link #ofFiles}, also for certificates of an authority. Blocks on the store too.
     *
     * @param keys of AES, for private keys in a shared store; the first one encrypts
     */
    static ListenerCertificates of(ListenAddress listener, Collection<String> hosts, VisitorStore store,
            Supplier<List<SecretKey>> keys) {
        OpenChallenges challenges = new OpenChallenges();
        return of(listener, hosts, options -> new Issuing(AcmeRenewal.of(options, challenges, store.keyValues(), keys,
                store.clock(Time.system())), challenges));
    }

    /** A renewal, and the challenges that it opens. */
    private record Issuing(AcmeRenewal renewal, OpenChallenges challenges) {}

    @FunctionalInterface
    private interface Issuer {
        Issuing of(AcmeOptions options) throws IOException;
    }

    private static ListenerCertificates of(ListenAddress listener, Collection<String> hosts, Issuer issuer) {
        BindAddress bind = new BindAddress(listener.host(), listener.port());
        TlsConfig tls = listener.tls();
        if (tls == null) {
            return new ListenerCertificates(bind, null, null, null);
        }
        AcmeOptions options = tls.acme();
        try {
            Issuing acme = options == null ? null : issuer.of(options);
            return new ListenerCertificates(bind, CertificateFiles.read(tls.sources(), hosts, Time.system()),
                    clients(tls.clients()), acme);
        } catch (IOException e) {
            throw new StartFailedException("The folder of edge.tls.acme cannot be used (" + e.getMessage()
                    + "): make it accessible for this user, or name another folder", e);
        } catch (UnusableCertificateException e) {
            throw new StartFailedException(String.valueOf(e.getMessage()), e);
        }
    }

    private static @Nullable ClientAuthorities clients(TlsConfig.@Nullable Clients configured)
            throws UnusableCertificateException {
        return configured == null
                ? null
                : new ClientAuthorities(CertificateReader.authorities(configured.authorities()), configured.required());
    }

    /** The open challenges of an authority. */
    OpenChallenges challenges() {
        return challenges;
    }

    /**
     * Uses other files, or reads the same files anew. Blocks. Nothing for a listener without TLS.
     *
     * @throws StartFailedException if one cannot be used; nothing has changed then
     */
    void change(ListenAddress listener, Collection<String> hosts) {
        TlsConfig tls = listener.tls();
        if (files == null || tls == null) {
            return;
        }
        try {
            files.change(tls.sources(), hosts);
        } catch (UnusableCertificateException e) {
            throw new StartFailedException(String.valueOf(e.getMessage()), e);
        }
    }

    ListenerTransport transport() {
        return files == null
                ? ListenerTransport.plain(bind)
                : ListenerTransport.tls(bind, ListenerTls.of(files.current()).withClients(clients))
                        .withChallenges(challenges);
    }

    /** The certificates in use. */
    List<About.Certificate> inUse() {
        return files == null
                ? List.of()
                : files.current().get().all().stream().map(one -> new About.Certificate(one.names(), one.ends()))
                        .toList();
    }

    /** The present faults, for an operator. */
    List<String> faults() {
        return Stream.concat(acme == null ? Stream.of() : acme.faults().stream(),
                files == null ? Stream.of() : files.faults().stream()).toList();
    }

    /** Starts to look for new files, and to request what is due. The challenges are answered by now. */
    void start() {
        if (files != null) {
            files.start();
        }
        if (acme != null) {
            acme.start();
        }
    }

    @Override
    public void close() {
        if (acme != null) {
            acme.close();
        }
        if (files != null) {
            files.close();
        }
    }
}
