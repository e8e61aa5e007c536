package dev.orderly.http.tls;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What a client asks for in the first message of a handshake, the ClientHello (RFC 8446, section 4.1.2).
 *
 * @param host the host in lower case (SNI, RFC 6066); empty if the client names none
 * @param protocols the application protocols (ALPN, RFC 7301)
 */
record ClientOffer(String host, List<String> protocols) {
    /** The bytes of version and random. */
    private static final int FIXED = 34;
    private static final int SERVER_NAME = 0;
    private static final int HOST_NAME = 0;
    private static final int ALPN = 16;

    /**
     * Reads the body of a ClientHello; does not move the reader index.
     *
     * @throws IndexOutOfBoundsException if it is cut off, or a length in it is wrong
     */
    static ClientOffer of(ByteBuf hello) {
        ByteBuf in = hello.slice();
        in.skipBytes(FIXED);
        in.skipBytes(in.readUnsignedByte()); // session
        in.skipBytes(in.readUnsignedShort()); // cipher suites
        in.skipBytes(in.readUnsignedByte()); // compression methods
        String host = "";
        List<String> protocols = new ArrayList<>();
        ByteBuf extensions = in.isReadable() ? in.readSlice(in.readUnsignedShort()) : in;
        while (extensions.isReadable()) {
            int type = extensions.readUnsignedShort();
            ByteBuf extension = extensions.readSlice(extensions.readUnsignedShort());
            if (type == SERVER_NAME) {
                host = host(extension);
            } else if (type == ALPN) {
                ByteBuf names = extension.readSlice(extension.readUnsignedShort());
                while (names.isReadable()) {
                    protocols.add(names.readString(names.readUnsignedByte(), StandardCharsets.US_ASCII));
                }
            }
        }
        return new ClientOffer(host, protocols);
    }

    private static String host(ByteBuf extension) {
        ByteBuf names = extension.readSlice(extension.readUnsignedShort());
        while (names.isReadable()) {
            int type = names.readUnsignedByte();
            String name = names.readString(names.readUnsignedShort(), StandardCharsets.US_ASCII);
            if (type == HOST_NAME) {
                return name.toLowerCase(Locale.ROOT);
            }
        }
        return "";
    }
}
