package dev.orderly.store.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The scripts, one for each call of the port. */
enum RoomScript {
    JOIN, CLAIM, RENEW, DEPART, SYNC, GOVERN, CHANGE, STATE;

    private final String text;
    private final String digest;

    RoomScript() {
        text = Stream.of("room", "rules", "answer", name().toLowerCase(Locale.ROOT)).map(RoomScript::read)
                .collect(Collectors.joining("\n"));
        digest = digest(text);
    }

    String text() {
        return text;
    }

    /** Under which a server knows the script once it has run it. */
    String digest() {
        return digest;
    }

    private static String read(String name) {
        try (InputStream file = RoomScript.class.getResourceAsStream(name + ".lua")) {
            if (file == null) {
                throw new IllegalStateException("The script " + name + ".lua is missing from this program");
            }
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Redis names scripts by SHA-1. */
    private static String digest(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
