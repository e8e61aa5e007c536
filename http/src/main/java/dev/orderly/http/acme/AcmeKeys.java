package dev.orderly.http.acme;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The names of values in the store: an account for each authority; state and certificate for each set of domains, so
 * that nodes with other domains disturb nobody.
 */
record AcmeKeys(String account, String certificate, String state) {
    private static final int LENGTH = 32;

    static AcmeKeys of(AcmeOptions options) {
        String authority = digest(options.directory().toString());
        String order = digest(options.directory() + " " + String.join(" ", options.domains().stream().sorted()
                .toList()));
        return new AcmeKeys("acme/account/" + authority, "acme/certificate/" + order, "acme/renewal/" + order);
    }

    private static String digest(String text) {
        try {
            byte[] all = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(all).substring(0, LENGTH);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every JDK has SHA-256", e);
        }
    }
}
