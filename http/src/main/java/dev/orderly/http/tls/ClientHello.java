package dev.orderly.http.tls;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The part of a client's first message that decides about the certificate (RFC 8446, section 4.1.2). A malformed
 * message reads as far as it is well-formed: the library of TLS refuses it afterwards.
 *
 * @param serverName the host that the client asks for (SNI); null if it names none
 * @param protocols the protocols that the client offers (ALPN), in its order
 * @param ecdsa whether the client accepts signatures by ECDSA
 */
public record ClientHello(@Nullable String serverName, List<String> protocols, boolean ecdsa) {
    /** A client that offers nothing. */
    public static final ClientHello EMPTY = new ClientHello(null, List.of(), false);

    private static final int VERSION_AND_RANDOM = 34;
    private static final int SERVER_NAME = 0;
    private static final int SIGNATURE_ALGORITHMS = 13;
    private static final int PROTOCOLS = 16;
    private static final int HOST_NAME = 0;

    public ClientHello {
        protocols = List.copyOf(protocols);
    }

    /** Reads the body of a ClientHello, without its header; the buffer stays as it is. */
    static ClientHello read(ByteBuf body) {
        Reader reader = new Reader();
        try {
            reader.read(body.duplicate());
        } catch (IndexOutOfBoundsException _) {
            return reader.hello();
        }
        return reader.hello();
    }

    /** The state of a reading that may break off. */
    private static final class Reader {
        private @Nullable String serverName;
        private final List<String> protocols = new ArrayList<>();
        private boolean suites;
        private boolean signatures;

        ClientHello hello() {
            return new ClientHello(serverName, protocols, suites && signatures);
        }

        void read(ByteBuf in) {
            in.skipBytes(VERSION_AND_RANDOM);
            in.skipBytes(in.readUnsignedByte()); // session id
            for (ByteBuf some = in.readSlice(in.readUnsignedShort()); some.isReadable();) {
                suites |= isForEcdsa(some.readUnsignedShort());
            }
            in.skipBytes(in.readUnsignedByte()); // compression
            for (ByteBuf extensions = in.readSlice(in.readUnsignedShort()); extensions.isReadable();) {
                int type = extensions.readUnsignedShort();
                extension(type, extensions.readSlice(extensions.readUnsignedShort()));
            }
        }

        /** Suites of TLS 1.3 leave the signature open; in TLS 1.2 the suite names it. */
        private static boolean isForEcdsa(int suite) {
            return switch (suite) {
                case 0x1301, 0x1302, 0x1303, 0xc02b, 0xc02c, 0xcca9 -> true;
                default -> false;
            };
        }

        private void extension(int type, ByteBuf in) {
            switch (type) {
                case SERVER_NAME -> serverName(in.readSlice(in.readUnsignedShort()));
                case SIGNATURE_ALGORITHMS -> {
                    for (ByteBuf some = in.readSlice(in.readUnsignedShort()); some.isReadable();) {
                        signatures |= isEcdsa(some.readUnsignedShort());
                    }
                }
                case PROTOCOLS -> {
                    for (ByteBuf some = in.readSlice(in.readUnsignedShort()); some.isReadable();) {
                        protocols.add(text(some.readSlice(some.readUnsignedByte())));
                    }
                }
                default -> {
                    // of no concern for the certificate
                }
            }
        }

        private void serverName(ByteBuf names) {
            if (serverName == null && names.readUnsignedByte() == HOST_NAME) {
                serverName = text(names.readSlice(names.readUnsignedShort()));
            }
        }

        private static boolean isEcdsa(int signature) {
            return signature == 0x0403 || signature == 0x0503 || signature == 0x0603;
        }

        private static String text(ByteBuf bytes) {
            return bytes.toString(StandardCharsets.US_ASCII);
        }
    }
}
