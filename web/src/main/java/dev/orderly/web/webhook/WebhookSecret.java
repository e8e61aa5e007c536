package dev.orderly.web.webhook;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Objects;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A key that signs and verifies webhooks; {@link #toString} does not reveal it. Thread-safe. */
public final class WebhookSecret {
    private static final String PREFIX = "whsec_";
    private static final String ALGORITHM = "HmacSHA256";
    private static final int MIN = 24;
    private static final int MAX = 64;

    private final SecretKeySpec key;

    private WebhookSecret(SecretKeySpec key) {
        this.key = key;
    }

    /**
     * Parses the text form of Standard Webhooks: base64 of 24 to 64 random bytes, usually prefixed by {@code whsec_}.
     *
     * @throws IllegalArgumentException naming the fault, without the secret
     */
    public static WebhookSecret parse(String text) {
        Objects.requireNonNull(text, "text");
        byte[] bytes;
        try {
            bytes = Base64.getDecoder().decode(text.startsWith(PREFIX) ? text.substring(PREFIX.length()) : text);
        } catch (IllegalArgumentException _) {
            // The cause would quote a character of the secret.
            throw new IllegalArgumentException(
                    "A webhook secret is not base64: use " + PREFIX + " and base64 of " + MIN + " to " + MAX
                            + " bytes");
        }
        if (bytes.length < MIN || bytes.length > MAX) {
            throw new IllegalArgumentException("A webhook secret has " + bytes.length + " bytes: use " + PREFIX
                    + " and base64 of " + MIN + " to " + MAX + " random bytes");
        }
        return new WebhookSecret(new SecretKeySpec(bytes, ALGORITHM));
    }

    /** A key for one purpose. It reveals neither this key nor the key of another purpose. */
    public WebhookSecret derived(String purpose) {
        Objects.requireNonNull(purpose, "purpose");
        return new WebhookSecret(new SecretKeySpec(mac(purpose.getBytes(StandardCharsets.UTF_8)), ALGORITHM));
    }

    /** The text form, for those who are to verify signatures. */
    public String reveal() {
        return PREFIX + Base64.getEncoder().encodeToString(key.getEncoded());
    }

    /** A copy of the secret, from which other keys are derived. */
    public byte[] bytes() {
        return key.getEncoded();
    }

    /** The HMAC-SHA256 of the concatenated parts. */
    public byte[] mac(byte[]... parts) {
        Objects.requireNonNull(parts, "parts");
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            for (byte[] part : parts) {
                mac.update(part);
            }
            return mac.doFinal();
        } catch (java.security.GeneralSecurityException e) {
            throw new IllegalStateException("Every JDK has " + ALGORITHM, e);
        }
    }

    @Override
    public String toString() {
        return PREFIX + "***";
    }
}
