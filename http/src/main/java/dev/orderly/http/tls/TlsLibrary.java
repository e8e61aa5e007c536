package dev.orderly.http.tls;

import io.netty.handler.ssl.OpenSsl;

/** The code that does the cryptography of TLS. */
public enum TlsLibrary {
    /** BoringSSL, native code that netty-tcnative brings for the usual platforms. */
    BORINGSSL {
        @Override
        public String toString() {
            return "BoringSSL";
        }
    },
    /** The JDK, which runs everywhere and needs several times the processor time for a handshake. */
    JDK {
        @Override
        public String toString() {
            Throwable cause = OpenSsl.unavailabilityCause();
            return cause == null ? "the JDK" : "the JDK, since BoringSSL cannot be loaded here (" + reason(cause) + ")";
        }
    };

    /** The fastest library that can be loaded on this platform. */
    public static TlsLibrary fastest() {
        return OpenSsl.isAvailable() ? BORINGSSL : JDK;
    }

    /** The first line of the innermost cause; the others repeat it or list suppressed attempts. */
    private static String reason(Throwable cause) {
        Throwable inner = cause;
        while (inner.getCause() != null) {
            inner = inner.getCause();
        }
        return String.valueOf(inner).lines().findFirst().orElse("");
    }
}
