package dev.orderly.http.user;

import dev.orderly.web.header.Authority;
import java.net.URI;
import java.nio.file.Path;
import java.util.Locale;

/** The source of the keys that verify users' tokens. */
public sealed interface TokenSource {
    /** A secret shared with the issuer: tokens are HS256. Never printed. */
    final class Secret implements TokenSource {
        /** The minimum length in bytes: the size of the hash, so that the secret cannot be guessed. */
        public static final int MIN = 32;

        private final byte[] bytes;

        /** @throws IllegalArgumentException if it is too short; the message does not contain the secret */
        public Secret(byte[] bytes) {
            if (bytes.length < MIN) {
                throw new IllegalArgumentException("The secret of users' tokens has " + bytes.length
                        + " bytes: use " + MIN + " random bytes or more, for instance of: openssl rand -hex 32");
            }
            this.bytes = bytes.clone();
        }

        byte[] bytes() {
            return bytes.clone();
        }

        @Override
        public String toString() {
            return "secret ***";
        }
    }

    /** A file with the issuer's public keys, a JWK set: tokens are RS256, ES256 or EdDSA (Ed25519). */
    record KeyFile(Path file) implements TokenSource {
        @Override
        public String toString() {
            return file.toString();
        }
    }

    /**
     * The address at which the issuer publishes its keys, a JWK set: tokens are RS256, ES256 or EdDSA (Ed25519).
     *
     * @param uri {@code https}, or {@code http} on this machine
     */
    record KeyUrl(URI uri) implements TokenSource {
        /** @throws IllegalArgumentException naming the rule and the remedy */
        public KeyUrl {
            String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
            String host = uri.getHost();
            boolean safe = host != null
                    && (scheme.equals("https") || (scheme.equals("http") && Authority.isLoopback(host)));
            if (!safe || uri.getRawUserInfo() != null || uri.getRawFragment() != null) {
                throw new IllegalArgumentException("Keys cannot be read from " + uri.getScheme() + "://" + host
                        + ": use an https address without user and fragment, or http on this machine");
            }
        }

        @Override
        public String toString() {
            return uri.toString();
        }
    }
}
