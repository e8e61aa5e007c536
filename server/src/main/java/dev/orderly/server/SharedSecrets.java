package dev.orderly.server;

import dev.orderly.config.SecretLocation;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Reads secrets that another program shares with the server. */
final class SharedSecrets {
    private static final int MOST = 64 << 10;

    private SharedSecrets() {}

    /**
     * The bytes of a secret's text. Blocks on files.
     *
     * @param what the secret is of, for messages
     * @throws StartFailedException naming the variable or file, never the secret
     */
    static byte[] read(SecretLocation place, Map<String, String> environment, String what) {
        byte[] bytes = switch (place) {
            case SecretLocation.Variable(String name) ->
                environment.getOrDefault(name, "").getBytes(StandardCharsets.UTF_8);
            case SecretLocation.SecretFile(Path file) -> read(file, what);
        };
        if (bytes.length == 0) {
            throw new StartFailedException("There is no secret of " + what + " in " + place
                    + ": put in the one that the other side has", null);
        }
        return bytes;
    }

    private static byte[] read(Path file, String what) {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(MOST + 1);
            if (bytes.length > MOST) {
                throw new StartFailedException(
                        "The file " + file + " with the secret of " + what + " is larger than " + MOST
                                + " bytes: check the path",
                        null);
            }
            Secrets.warnIfOpen(file);
            return new String(bytes, StandardCharsets.UTF_8).strip().getBytes(StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new StartFailedException("The file " + file + " with the secret of " + what + " cannot be read (" + e
                    + "): make it readable for this user, or name another file", e);
        }
    }
}
