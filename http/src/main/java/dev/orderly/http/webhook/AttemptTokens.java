package dev.orderly.http.webhook;

import dev.orderly.job.JobId;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.AttemptId;
import dev.orderly.web.webhook.WebhookSecret;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * Tokens of attempts. A token is the whole authority to report about one attempt of one job: HMAC-SHA256 by the
 * server's secret over job, attempt and queue. It holds until the attempt is over, on every node that knows the secret.
 * Thread-safe.
 */
public final class AttemptTokens {
    /** The header with the token of an attempt. */
    public static final String HEADER = "Orderly-Attempt-Token";

    private static final String PREFIX = "oat1";
    private static final String PURPOSE = "orderly-attempt";
    private static final int LENGTH_MAX = 200;
    private static final int SECRET_BYTES = 32;

    private volatile List<WebhookSecret> secrets;

    /** @param secrets the newest first, which signs; none for a random secret of this process */
    public AttemptTokens(List<WebhookSecret> secrets) {
        this.secrets = secrets.isEmpty() ? List.of(random()) : List.copyOf(secrets);
    }

    /**
     * Replaces the secrets. Tokens of earlier secrets become invalid.
     *
     * @param known the newest first, one or more
     */
    public void use(List<WebhookSecret> known) {
        secrets = List.copyOf(known);
    }

    private static WebhookSecret random() {
        byte[] secret = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(secret);
        return WebhookSecret.parse(Base64.getEncoder().encodeToString(secret));
    }

    /** The token of an attempt: printable ASCII, at most 200 characters. */
    public String sign(AttemptId attempt) {
        String number = Integer.toString(attempt.number());
        String queue = attempt.queue().value();
        byte[] mac = mac(secrets.getFirst(), attempt.id(), number, queue);
        return String.join(":", PREFIX, number, queue, Base64.getUrlEncoder().withoutPadding().encodeToString(mac));
    }

    /** The attempt that a token was signed for; empty if no secret signed it for this job. */
    public Optional<AttemptId> verify(JobId job, String token) {
        String[] parts = token.length() > LENGTH_MAX ? new String[0] : token.split(":", -1);
        if (parts.length != 4 || !parts[0].equals(PREFIX)) {
            return Optional.empty();
        }
        byte[] given = decoded(parts[3]);
        boolean valid = false;
        for (WebhookSecret secret : secrets) {
            valid |= MessageDigest.isEqual(mac(secret, job, parts[1], parts[2]), given);
        }
        return valid
                ? Optional.of(new AttemptId(job, new QueueName(parts[2]), Integer.parseInt(parts[1])))
                : Optional.empty();
    }

    private static byte[] decoded(String text) {
        try {
            return Base64.getUrlDecoder().decode(text);
        } catch (IllegalArgumentException _) {
            return new byte[0];
        }
    }

    private static byte[] mac(WebhookSecret secret, JobId job, String number, String queue) {
        return secret.mac(String.join("\n", PURPOSE, job.toString(), number, queue).getBytes(StandardCharsets.UTF_8));
    }
}
