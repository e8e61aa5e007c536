package dev.orderly.job.engine;

import dev.orderly.Internal;
import dev.orderly.job.JobEvent;
import dev.orderly.job.JobId;
import dev.orderly.store.KeyValueStore;
import dev.orderly.store.StoredValue;
import dev.orderly.time.Time;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * The tokens in the links that send an event to a job. A token is the whole authority to send one event of one job
 * until the job's wait for it is over: HMAC-SHA256 by a key that the store keeps, so that all its nodes know it and
 * a copy of the store has it too. Thread-safe.
 */
@Internal(to = "dev.orderly")
public final class EventUrls {
    /** The path of a link, before its token. */
    public static final String PATH = "/.orderly/events/";

    /** The end of an error for a client that makes no links. */
    public static final String NO_SERVER = ", since no server is known that takes it: set EngineOptions.withPublicUrl,"
            + " or edge.public-url in the configuration of the server, to the address of its public listener";

    private static final String KEY = "event-url-key";
    private static final Duration KEPT = Duration.ofDays(36_500);
    private static final String ALGORITHM = "HmacSHA256";
    private static final int KEY_BYTES = 32;
    private static final int LENGTH_MAX = 400;
    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();

    private final KeyValueStore values;
    private final Time time;
    private final @Nullable URI base;

    /** @param base the address of a public listener that takes the links; null if none is known */
    public EventUrls(KeyValueStore values, Time time, @Nullable URI base) {
        this.values = values;
        this.time = time;
        this.base = base;
    }

    /** What a token lets its holder send. */
    public record Target(JobId job, String event) {}

    /** Whether a server is known that takes links. */
    boolean hasServer() {
        return base != null;
    }

    /** The link of an event that a job awaits until a moment; empty if no server is known that takes it. */
    Optional<URI> link(JobId job, String event, Instant until) {
        return Optional.ofNullable(base).map(start -> URI.create(start.toString().replaceAll("/+$", "") + PATH
                + token(job, event, until)));
    }

    /** The token of an event that a job awaits until a moment. */
    String token(JobId job, String event, Instant until) {
        byte[] text = String.join("\n", job.toString(), event, Long.toString(until.toEpochMilli()))
                .getBytes(StandardCharsets.UTF_8);
        return ENCODER.encodeToString(text) + "." + ENCODER.encodeToString(mac(key(), text));
    }

    /** What a token lets its holder send; empty if it was not signed here, or the wait is over. */
    public Optional<Target> read(String token) {
        int dot = token.length() > LENGTH_MAX ? -1 : token.indexOf('.');
        if (dot < 0) {
            return Optional.empty();
        }
        try {
            byte[] text = Base64.getUrlDecoder().decode(token.substring(0, dot));
            byte[] given = Base64.getUrlDecoder().decode(token.substring(dot + 1));
            if (!MessageDigest.isEqual(mac(key(), text), given)) {
                return Optional.empty();
            }
            String[] parts = new String(text, StandardCharsets.UTF_8).split("\n", -1);
            return time.now().toEpochMilli() < Long.parseLong(parts[2])
                    ? Optional.of(new Target(JobId.parse(parts[0]), JobEvent.checkName(parts[1])))
                    : Optional.empty();
        } catch (IllegalArgumentException _) { // no base64
            return Optional.empty();
        }
    }

    /** The key of the store, made by the first who needs it. */
    private byte[] key() {
        while (true) {
            Instant now = time.now();
            Optional<StoredValue> known = values.read(KEY, now);
            if (known.isPresent()) {
                return Base64.getDecoder().decode(known.get().text());
            }
            byte[] fresh = new byte[KEY_BYTES];
            new SecureRandom().nextBytes(fresh);
            values.replace(KEY, KeyValueStore.ABSENT, Base64.getEncoder().encodeToString(fresh), now.plus(KEPT), now);
        }
    }

    private static byte[] mac(byte[] key, byte[] text) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
            return mac.doFinal(text);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every Java platform has " + ALGORITHM, e);
        }
    }
}
