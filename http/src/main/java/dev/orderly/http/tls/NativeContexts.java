package dev.orderly.http.tls;

import dev.orderly.time.Time;
import io.netty.handler.ssl.OpenSslSessionTicketKey;
import io.netty.handler.ssl.SslContext;
import io.netty.util.ReferenceCountUtil;
import java.security.SecureRandom;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Native contexts, one for each certificate, made when the first client asks for it. All of them share the keys of
 * session tickets, so that clients resume their sessions after certificates were replaced, which the JDK does for other
 * certificates only. The keys change twice a day, and exist in memory only: a key that is found later opens the
 * sessions of one day.
 */
final class NativeContexts implements TlsContexts {
    private static final Logger LOG = LoggerFactory.getLogger(NativeContexts.class);

    /** Keys of other algorithms are served by the JDK. */
    private static final Set<String> ALGORITHMS = Set.of("RSA", "EC");

    private final CurrentCertificates certificates;
    private final TlsContextBuilder builder;
    private final JdkContexts others;
    private final Time time;
    private final SecureRandom random = new SecureRandom();
    private final AtomicReference<Generation> newest;

    /**
     * Contexts from one change of certificates or ticket keys to the next.
     *
     * @param tickets first the key of new tickets, then the key before it
     * @param until the end of the first key's use, monotonic
     * @param before for clients that have chosen from it a moment ago; null for the first generation
     */
    private record Generation(HostCertificates certificates, List<OpenSslSessionTicketKey> tickets, long until,
            ConcurrentMap<ServerCertificate, SslContext> contexts, @Nullable Generation before) {
        void release() {
            contexts.values().forEach(ReferenceCountUtil::release); // nothing to release of the JDK's
        }
    }

    /** @param others serves certificates whose keys the native library does not support */
    NativeContexts(CurrentCertificates certificates, TlsContextBuilder builder, JdkContexts others, Time time) {
        this.certificates = certificates;
        this.builder = builder;
        this.others = others;
        this.time = time;
        this.newest = new AtomicReference<>(generation(certificates.get(), List.of(key()), null));
    }

    private Generation generation(HostCertificates now, List<OpenSslSessionTicketKey> tickets,
            @Nullable Generation before) {
        long until = before == null || before.tickets.getFirst() != tickets.getFirst()
                ? time.deadline(TlsContextBuilder.SESSIONS.dividedBy(2))
                : before.until;
        return new Generation(now, tickets, until, new ConcurrentHashMap<>(), before == null
                ? null
                : new Generation(before.certificates, before.tickets, before.until, before.contexts, null));
    }

    private OpenSslSessionTicketKey key() {
        return new OpenSslSessionTicketKey(bytes(OpenSslSessionTicketKey.NAME_SIZE),
                bytes(OpenSslSessionTicketKey.HMAC_KEY_SIZE), bytes(OpenSslSessionTicketKey.AES_KEY_SIZE));
    }

    private byte[] bytes(int size) {
        byte[] bytes = new byte[size];
        random.nextBytes(bytes);
        return bytes;
    }

    @Override
    public SslContext choose(ClientHello hello) {
        Generation now = current();
        return now.contexts.computeIfAbsent(now.certificates.choose(hello), certificate -> made(certificate, now));
    }

    private Generation current() {
        Generation now = newest.get();
        HostCertificates last = certificates.get();
        boolean rotate = time.reached(now.until);
        if (now.certificates == last && !rotate) {
            return now;
        }
        List<OpenSslSessionTicketKey> tickets = rotate ? List.of(key(), now.tickets.getFirst()) : now.tickets;
        Generation next = generation(last, tickets, now);
        if (!newest.compareAndSet(now, next)) {
            return newest.get();
        }
        if (now.before != null) {
            now.before.release();
        }
        return next;
    }

    private SslContext made(ServerCertificate certificate, Generation generation) {
        if (!ALGORITHMS.contains(certificate.algorithm())) {
            return others.context();
        }
        try {
            return builder.boringSsl(certificate, generation.tickets.toArray(OpenSslSessionTicketKey[]::new));
        } catch (SSLException e) {
            LOG.info("BoringSSL cannot use the certificate {} ({}): the JDK serves it", certificate, e.getMessage());
            return others.context();
        }
    }

    @Override
    public void close() {
        Generation last = newest.get();
        Stream.iterate(last, one -> one != null, Generation::before).forEach(Generation::release);
    }
}
