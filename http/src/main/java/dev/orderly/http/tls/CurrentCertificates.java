package dev.orderly.http.tls;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The certificates that new connections get. They can be replaced at any time: a connection that has begun its
 * handshake ends it with the certificate that it began with, and open connections stay. Thread-safe, never blocks.
 */
public final class CurrentCertificates {
    private final AtomicReference<Generation> newest;

    /**
     * Certificates from one replacement to the next.
     *
     * @param before for handshakes that have begun with them; null for the first generation
     */
    private record Generation(long number, HostCertificates certificates, @Nullable Generation before) {
        Generation {
            before = before == null ? null : new Generation(before.number, before.certificates);
        }

        private Generation(long number, HostCertificates certificates) {
            this(number, certificates, null);
        }
    }

    public CurrentCertificates(HostCertificates first) {
        this.newest = new AtomicReference<>(new Generation(0, first));
    }

    /** Lets new connections use other certificates. */
    public void replace(HostCertificates next) {
        newest.updateAndGet(last -> new Generation(last.number() + 1, next, last));
    }

    public HostCertificates get() {
        return newest();
    }

    private HostCertificates newest() {
        return newest.get().certificates();
    }

    /** The name of the certificate for a host and an algorithm, for the time of a handshake; null if there is none. */
    @Nullable
    String choose(@Nullable String host, String algorithm) {
        Generation now = newest.get();
        return now.certificates().choose(host, algorithm).map(index -> now.number() + "." + index).orElse(null);
    }

    /** The certificate of a name that {@link #choose} gave; null if two replacements have followed. */
    @Nullable
    ServerCertificate find(String name) {
        int dot = name.indexOf('.');
        long number = Long.parseLong(name, 0, dot, 10);
        for (Generation one = newest.get(); one != null; one = one.before()) {
            if (one.number() == number) {
                return one.certificates().all().get(Integer.parseInt(name, dot + 1, name.length(), 10));
            }
        }
        return null;
    }
}
