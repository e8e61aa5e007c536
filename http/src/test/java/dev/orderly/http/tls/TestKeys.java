package dev.orderly.http.tls;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.RSAPublicKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;

/** RSA keys of 2,048 bits for tests alone. To generate one takes a test JVM up to a second, so they are a file. */
public final class TestKeys {
    public static final int RSA_PAIRS = 3;
    private static final List<KeyPair> RSA = read();

    private TestKeys() {}

    /** One of {@value #RSA_PAIRS} different pairs, from 0. */
    public static KeyPair rsa(int number) {
        return RSA.get(number);
    }

    private static List<KeyPair> read() {
        try (InputStream file = TestKeys.class.getResourceAsStream("rsa-keys.txt")) {
            String text = new String(file.readAllBytes(), StandardCharsets.US_ASCII);
            return Stream.of(text.split("\n\n")).map(TestKeys::pair).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @param base64 a private key as PKCS#8 */
    private static KeyPair pair(String base64) {
        try {
            KeyFactory rsa = KeyFactory.getInstance("RSA");
            RSAPrivateCrtKey key = (RSAPrivateCrtKey) rsa.generatePrivate(new PKCS8EncodedKeySpec(
                    Base64.getMimeDecoder().decode(base64)));
            return new KeyPair(rsa.generatePublic(new RSAPublicKeySpec(key.getModulus(), key.getPublicExponent())),
                    key);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every JDK has RSA", e);
        }
    }
}
