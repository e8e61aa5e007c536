package dev.orderly.server;

import dev.orderly.config.ListenAddress;
import dev.orderly.config.TlsConfig;
import dev.orderly.http.listener.BindAddress;
import dev.orderly.http.listener.ListenerTransport;
import dev.orderly.http.tls.CertificateFiles;
import dev.orderly.http.tls.ListenerTls;
import dev.orderly.http.tls.UnusableCertificate;
import dev.orderly.time.Time;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The certificates of a listener, kept current while it runs; nothing for a listener without TLS. */
final class ListenerCertificates implements AutoCloseable {
    private final BindAddress bind;
    private final @Nullable CertificateFiles files;

    private ListenerCertificates(BindAddress bind, @Nullable CertificateFiles files) {
        this.bind = bind;
        this.files = files;
    }

    /**
     * Reads the certificates. Blocks.
     *
     * @param hosts that clients will ask for; empty if unknown
     * @throws StartFailed if one cannot be used
     */
    static ListenerCertificates of(ListenAddress listener, Collection<String> hosts) {
        BindAddress bind = new BindAddress(listener.host(), listener.port());
        TlsConfig tls = listener.tls();
        try {
            return new ListenerCertificates(bind,
                    tls == null ? null : CertificateFiles.read(tls.certificates(), hosts, Time.system()));
        } catch (UnusableCertificate e) {
            throw new StartFailed(String.valueOf(e.getMessage()), e);
        }
    }

    /**
     * Uses other files, or reads the same files anew. Blocks. Nothing for a listener without TLS.
     *
     * @throws StartFailed if one cannot be used; nothing has changed then
     */
    void change(ListenAddress listener, Collection<String> hosts) {
        TlsConfig tls = listener.tls();
        if (files == null || tls == null) {
            return;
        }
        try {
            files.change(tls.certificates(), hosts);
        } catch (UnusableCertificate e) {
            throw new StartFailed(String.valueOf(e.getMessage()), e);
        }
    }

    ListenerTransport transport() {
        return files == null
                ? ListenerTransport.plain(bind)
                : ListenerTransport.tls(bind, ListenerTls.of(files.current()));
    }

    /** The present faults, for an operator. */
    List<String> faults() {
        return files == null ? List.of() : files.faults();
    }

    /** Starts to look for new files. */
    void start() {
        if (files != null) {
            files.start();
        }
    }

    @Override
    public void close() {
        if (files != null) {
            files.close();
        }
    }
}
