package dev.orderly.http.access;

import dev.orderly.access.Identity;
import dev.orderly.access.TokenSecret;
import dev.orderly.time.Time;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Links that sign one browser in, once, as the identity that asked for them. In memory, at most {@value #MOST}: beyond
 * that the oldest counts no more. They end with the process, and count on its node only. Thread-safe.
 */
public final class LoginLinks {
    /** The life of a link. */
    public static final Duration LIFE = Duration.ofMinutes(10);

    private static final int MOST = 100;
    private static final int BYTES = 32;
    private static final String PATH = "/login/";

    private final Time time;
    private final RandomGenerator random = new SecureRandom();
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Link> links = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Link> eldest) {
            return size() > MOST;
        }
    };

    /** An identity, and the monotonic time until which its link counts. */
    private record Link(Identity identity, long until) {}

    LoginLinks(Time time) {
        this.time = time;
    }

    /** The path of a new link, which counts for this time. */
    public String create(Identity identity, Duration life) {
        byte[] bytes = new byte[BYTES];
        random.nextBytes(bytes);
        String code = HexFormat.of().formatHex(bytes);
        lock.lock();
        try {
            links.put(TokenSecret.sha256(code), new Link(identity, time.deadline(life)));
        } finally {
            lock.unlock();
        }
        return PATH + code;
    }

    /** The identity of a link, which goes on to count; empty if it does not count. */
    public Optional<Identity> find(String code) {
        return look(code, links::get);
    }

    /** The identity of a link, which counts no more from now on; empty if it does not count. */
    public Optional<Identity> redeem(String code) {
        return look(code, links::remove);
    }

    private Optional<Identity> look(String code, Function<String, @Nullable Link> way) {
        lock.lock();
        try {
            return Optional.ofNullable(way.apply(TokenSecret.sha256(code))).filter(link -> !time.reached(link.until))
                    .map(Link::identity);
        } finally {
            lock.unlock();
        }
    }
}
