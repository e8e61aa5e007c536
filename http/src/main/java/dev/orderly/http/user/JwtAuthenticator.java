package dev.orderly.http.user;

import dev.orderly.time.Time;
import dev.orderly.web.header.CookieScan;
import dev.orderly.web.message.RequestHead;
import dev.orderly.web.user.Authentication;
import dev.orderly.web.user.Authenticator;
import dev.orderly.web.user.PageOrigins;
import java.io.IOException;
import java.security.Key;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.crypto.spec.SecretKeySpec;
import org.jose4j.jws.AlgorithmIdentifiers;
import org.jspecify.annotations.Nullable;

/**
 * Authenticates users by a JWT in a bearer token or a cookie. The type of key decides the algorithm, never the token:
 * HS256 with a secret; RS256, ES256 and EdDSA with published keys. Reading keys blocks, a few seconds at most.
 */
public final class JwtAuthenticator implements Authenticator {
    private static final String BEARER = "Bearer";

    private final TokenCheck check;
    private final @Nullable String cookie;
    private final PageOrigins pages;

    private JwtAuthenticator(UserOptions options, VerificationKeys keys, Time time) {
        this.check = new TokenCheck(keys, options.issuer(), options.audience(), time);
        this.cookie = options.cookie();
        this.pages = options.pages();
    }

    /**
     * An authenticator with the keys of the options' source. Blocks while it reads a file; a URL is read with the first
     * token, so that the issuer may start later.
     *
     * @throws IllegalArgumentException if the file has no keys, naming it and the remedy
     */
    public static JwtAuthenticator of(UserOptions options, Time time) {
        return new JwtAuthenticator(options, keys(options.source(), time), time);
    }

    @Override
    public Authentication of(RequestHead head) {
        List<String> bearers = bearers(head);
        if (bearers.size() > 1) {
            return new Authentication.Rejected("There are " + bearers.size() + " bearer tokens: send one");
        }
        if (!bearers.isEmpty()) {
            return check.check(bearers.getFirst());
        }
        return cookie(head).filter(_ -> !pages.isForeign(head)).map(check::check)
                .filter(result -> !(result instanceof Authentication.Rejected))
                .orElseGet(Authentication.Anonymous::new);
    }

    @Override
    public Authentication verify(String token) {
        return check.check(token);
    }

    private static VerificationKeys keys(TokenSource source, Time time) {
        return switch (source) {
            case TokenSource.Secret secret -> shared(secret);
            case TokenSource.KeyUrl url -> new PublishedKeys(url.toString(), () -> KeyReader.url(url.uri()), time);
            case TokenSource.KeyFile file -> {
                PublishedKeys keys = new PublishedKeys(file.toString(), () -> KeyReader.file(file.file()), time);
                try {
                    keys.read();
                } catch (IOException | IllegalArgumentException e) {
                    throw new IllegalArgumentException("The keys of users' tokens cannot be read from " + file + " ("
                            + e.getMessage() + "): put the issuer's JWK set there", e);
                }
                yield keys;
            }
        };
    }

    private static VerificationKeys shared(TokenSource.Secret secret) {
        List<Key> keys = List.of(new SecretKeySpec(secret.bytes(), "HmacSHA256"));
        return (algorithm, _) -> algorithm.equals(AlgorithmIdentifiers.HMAC_SHA256) ? keys : List.of();
    }

    /** Only bearer credentials count here; other schemes belong to rooms or to the site itself. */
    private static List<String> bearers(RequestHead head) {
        List<String> found = new ArrayList<>();
        for (String header : head.headers().getAll("Authorization")) {
            String text = header.strip();
            int blank = BEARER.length();
            boolean bearer = text.regionMatches(true, 0, BEARER, 0, blank)
                    && (text.length() == blank || text.charAt(blank) == ' ' || text.charAt(blank) == '\t');
            if (bearer) {
                found.add(text.substring(blank).strip());
            }
        }
        return found;
    }

    /** The cookie's value; empty if several cookies have this name, since the site's own cannot be told apart. */
    private Optional<String> cookie(RequestHead head) {
        if (cookie == null) {
            return Optional.empty();
        }
        List<String> found = new ArrayList<>();
        for (String header : head.headers().getAll("Cookie")) {
            CookieScan scan = new CookieScan(header);
            while (scan.next()) {
                if (scan.isNamed(cookie)) {
                    found.add(scan.value());
                }
            }
        }
        return found.size() == 1 ? Optional.of(found.getFirst()) : Optional.empty();
    }
}
