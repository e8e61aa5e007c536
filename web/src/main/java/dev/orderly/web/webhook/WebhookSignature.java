package dev.orderly.web.webhook;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * The three headers that sign a webhook, as <a href="https://www.standardwebhooks.com">Standard Webhooks</a> 1.0
 * defines, symmetric scheme: HMAC-SHA256 over {@code id.timestamp.body}. For senders, and for receivers written in
 * Java.
 *
 * <p>A valid signature proves the sender of these bytes and the time of sending, not that they arrive for the first
 * time. Jobs are delivered at least once, so a receiver keeps the ids of done jobs.
 *
 * @param id of header {@value #ID}: the job's id, the same at every attempt
 * @param timestamp of header {@value #TIMESTAMP}: the time of this attempt in Unix seconds
 * @param signature of header {@value #SIGNATURE}: {@code v1,} and base64; several, separated by spaces, while secrets
 *   rotate
 */
public record WebhookSignature(String id, String timestamp, String signature) {
    public static final String ID = "webhook-id";
    public static final String TIMESTAMP = "webhook-timestamp";
    public static final String SIGNATURE = "webhook-signature";

    /** The accepted difference of the sender's clock, in both directions, in {@link #verify(byte[], List, Instant)}. */
    public static final Duration TOLERANCE = Duration.ofMinutes(5);

    private static final String VERSION = "v1,";
    private static final int SIGNATURES_MAX = 16;

    public WebhookSignature {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(timestamp, "timestamp");
        Objects.requireNonNull(signature, "signature");
    }

    /** The result of a verification. A receiver answers 401 to everything but {@link #VALID}. */
    public enum Verdict {
        /** One of the secrets signed exactly this content, recently. */
        VALID,
        /** The timestamp is outside the tolerance: a replay, or clocks that differ. */
        STALE,
        /** A header is not valid. */
        MALFORMED,
        /** No signature was made with any of the secrets. */
        FORGED
    }

    /**
     * Signs with every secret.
     *
     * @param secrets the newest first; several while receivers change over
     */
    public static WebhookSignature sign(String id, Instant at, byte[] body, List<WebhookSecret> secrets) {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(at, "at");
        Objects.requireNonNull(body, "body");
        Objects.requireNonNull(secrets, "secrets");
        String timestamp = Long.toString(at.getEpochSecond());
        String signature = secrets.stream()
                .map(secret -> VERSION + Base64.getEncoder().encodeToString(mac(secret, id, timestamp, body)))
                .collect(Collectors.joining(" "));
        return new WebhookSignature(id, timestamp, signature);
    }

    /** As {@link #verify(byte[], List, Instant, Duration)}, with {@link #TOLERANCE}. */
    public Verdict verify(byte[] body, List<WebhookSecret> secrets, Instant now) {
        return verify(body, secrets, now, TOLERANCE);
    }

    /**
     * Verifies the headers against the received body, byte for byte. Compares in constant time.
     *
     * @param secrets any of which may have signed
     * @param tolerance the maximum difference between the timestamp and {@code now}
     */
    public Verdict verify(byte[] body, List<WebhookSecret> secrets, Instant now, Duration tolerance) {
        Objects.requireNonNull(body, "body");
        Objects.requireNonNull(secrets, "secrets");
        Objects.requireNonNull(now, "now");
        Objects.requireNonNull(tolerance, "tolerance");
        Instant sent;
        try {
            sent = Instant.ofEpochSecond(Long.parseLong(timestamp));
        } catch (NumberFormatException | java.time.DateTimeException _) {
            return Verdict.MALFORMED;
        }
        String[] signatures = signature.split(" ", SIGNATURES_MAX + 1);
        if (id.isEmpty() || signatures.length > SIGNATURES_MAX) {
            return Verdict.MALFORMED;
        }
        if (Duration.between(sent, now).abs().compareTo(tolerance) > 0) {
            return Verdict.STALE;
        }
        boolean valid = false;
        for (WebhookSecret secret : secrets) {
            byte[] expected = mac(secret, id, timestamp, body);
            for (String candidate : signatures) {
                valid |= candidate.startsWith(VERSION)
                        && MessageDigest.isEqual(expected, decoded(candidate.substring(VERSION.length())));
            }
        }
        return valid ? Verdict.VALID : Verdict.FORGED;
    }

    private static byte[] decoded(String base64) {
        try {
            return Base64.getDecoder().decode(base64);
        } catch (IllegalArgumentException _) {
            return new byte[0];
        }
    }

    private static byte[] mac(WebhookSecret secret, String id, String timestamp, byte[] body) {
        return secret.mac((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8), body);
    }
}
