package dev.orderly.store.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The scripts, one for each call of a port. A script is the shared files of its port and the file of its own name. */
enum Script {
    JOIN(Shared.ROOM),
    ADMIT(Shared.ROOM),
    RENEW(Shared.ROOM),
    MOVE(Shared.ROOM),
    FIND(Shared.ROOM),
    USE(Shared.ROOM),
    PLACES(Shared.ROOM),
    DEPART(Shared.ROOM),
    SYNC(Shared.ROOM),
    GOVERN(Shared.ROOM),
    CHANGE(Shared.ROOM),
    STATE(Shared.ROOM),
    LEAVES(Shared.ROOM),
    TICKETS(Shared.ROOM),
    NOTE(Shared.PRESENCE),
    BEAT(Shared.PRESENCE),
    LEAVE(Shared.PRESENCE),
    ELSEWHERE(Shared.PRESENCE),
    VALUE(Shared.VALUES),
    REPLACE(Shared.VALUES),
    COPY_READ(List.of()),
    COPY_WRITE(List.of());

    private static final class Shared {
        static final List<String> ROOM = List.of("room", "rules", "answer");
        static final List<String> PRESENCE = List.of("presence");
        static final List<String> VALUES = List.of("values");
    }

    /** Those whose answers promise something to a visitor or an operator; the others are repeated all the time. */
    private static final Set<Script> PROMISES = EnumSet.of(JOIN, ADMIT, RENEW, MOVE, USE, DEPART, CHANGE, REPLACE);

    private final String text;
    private final String digest;

    Script(List<String> shared) {
        text = Stream.concat(shared.stream(), Stream.of(name().toLowerCase(Locale.ROOT))).map(Script::read)
                .collect(Collectors.joining("\n"));
        digest = digest(text);
    }

    /** Whether what was done has to outlive a failover once it is answered. */
    boolean isPromise() {
        return PROMISES.contains(this);
    }

    String text() {
        return text;
    }

    /** The name under which a server knows the script once it has run it. */
    String digest() {
        return digest;
    }

    private static String read(String name) {
        try (InputStream file = Script.class.getResourceAsStream(name + ".lua")) {
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
