package dev.orderly.web.room;

import dev.orderly.Internal;
import dev.orderly.web.header.Authority;
import org.jspecify.annotations.Nullable;

/** The names and attributes of the cookies of rooms. */
@Internal(to = "dev.orderly")
public enum CookieForm {
    /** Names that begin with {@code __Host-}: browsers accept and send them over TLS only, for exactly this host. */
    GUARDED("__Host-orderly_", "; Path=/; Secure; HttpOnly; SameSite=Lax"),

    /** Plain names, for a browser on the same machine: not every browser accepts the other form without TLS. */
    LOOPBACK("orderly_", "; Path=/; HttpOnly; SameSite=Lax");

    private final String prefix;
    private final String attributes;

    CookieForm(String prefix, String attributes) {
        this.prefix = prefix;
        this.attributes = attributes;
    }

    /**
     * The form for a request: {@link #LOOPBACK} only if it came without TLS and asks for a loopback host.
     *
     * @param secure whether the visitor's own connection has TLS, here or at a trusted proxy
     * @param host the Host header, with or without a port; null if there is none
     */
    public static CookieForm of(boolean secure, @Nullable String host) {
        return secure || host == null || !isLoopback(host) ? GUARDED : LOOPBACK;
    }

    private static boolean isLoopback(String host) {
        int port = host.length();
        while (port > 0 && host.charAt(port - 1) >= '0' && host.charAt(port - 1) <= '9') {
            port--;
        }
        boolean named = port > 0 && host.charAt(port - 1) == ':' && host.indexOf(':') != 0;
        String name = named ? host.substring(0, port - 1) : host;
        // Most hosts can be ruled out by their first character.
        return !name.isEmpty() && "lL1[:".indexOf(name.charAt(0)) >= 0 && Authority.isLoopback(name);
    }

    String prefix() {
        return prefix;
    }

    /** The attributes after the value in {@code Set-Cookie}, without the age. */
    String attributes() {
        return attributes;
    }
}
