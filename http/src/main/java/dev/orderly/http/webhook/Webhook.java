package dev.orderly.http.webhook;

import dev.orderly.web.webhook.WebhookSecret;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * A URL to which the jobs of a queue are posted.
 *
 * <p>{@link #toString} reveals no secrets.
 *
 * @param url {@code http} or {@code https} with a host; {@code user:password@} becomes Basic authentication
 * @param secrets each signs every request; the newest first, several while the receiver changes over, none to leave
 *   requests unsigned
 */
public record Webhook(URI url, List<WebhookSecret> secrets) {
    /** @throws IllegalArgumentException naming the fault of the URL */
    public Webhook {
        secrets = List.copyOf(secrets);
        String scheme = url.getScheme();
        boolean http = "http".equalsIgnoreCase(scheme) || "https".equalsIgnoreCase(scheme);
        if (!http || url.getHost() == null || url.getRawFragment() != null) {
            throw new IllegalArgumentException("Webhook URL " + shown(url)
                    + " is not valid: use http:// or https:// with a host, and no #fragment");
        }
    }

    /** Scheme, host, port and path: the form for logs and failures. */
    public String shown() {
        return shown(url);
    }

    /** The URL of requests, without its user. */
    URI target() {
        return withoutUser(url, url.getRawQuery());
    }

    /** The value of the {@code Authorization} header, if the URL has a user. */
    Optional<String> authorization() {
        return Optional.ofNullable(url.getUserInfo()).map(user -> "Basic "
                + Base64.getEncoder().encodeToString(user.getBytes(StandardCharsets.UTF_8)));
    }

    @Override
    public String toString() {
        return "Webhook[" + shown() + ", " + secrets.size() + " secrets]";
    }

    private static String shown(URI url) {
        return url.getHost() == null ? "(without a host)" : withoutUser(url, null).toString();
    }

    private static URI withoutUser(URI url, @org.jspecify.annotations.Nullable String rawQuery) {
        String port = url.getPort() < 0 ? "" : ":" + url.getPort();
        String path = url.getRawPath() == null ? "" : url.getRawPath();
        String query = rawQuery == null ? "" : "?" + rawQuery;
        try {
            return new URI(url.getScheme() + "://" + url.getHost() + port + path + query);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("The parts of a valid URL form a valid URL", e);
        }
    }
}
