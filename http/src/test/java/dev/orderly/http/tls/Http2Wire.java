package dev.orderly.http.tls;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.EmptyHttp2Headers;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.function.Predicate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/** A connection of HTTP/2 by hand, for frames that a client library would not send. */
final class Http2Wire implements AutoCloseable {
    static final int DATA = 0;
    static final int HEADERS = 1;
    static final int RESET = 3;
    static final int SETTINGS = 4;
    static final int PING = 6;
    static final int GO_AWAY = 7;
    static final int WINDOW = 8;
    static final int CONTINUATION = 9;
    static final int END_STREAM = 1;
    static final int END_HEADERS = 4;
    private static final int PRIORITY = 32;
    private static final int PRIORITY_BYTES = 5;
    private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

    private final DefaultHttp2HeadersDecoder decoder = new DefaultHttp2HeadersDecoder();
    private final SSLSocket socket;
    private final DataInputStream in;
    private final DataOutputStream out;

    /**
     * A received frame.
     *
     * @param stream 0 for the connection
     * @param headers of HEADERS, else empty
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Frame(int type, int flags, int stream, byte[] payload, Http2Headers headers) {
        /** The error code of a RESET, or of a GO_AWAY. */
        int error() {
            int at = type == GO_AWAY ? 4 : 0;
            return payload[at + 3] & 0xff;
        }

        boolean is(int wanted, int ofStream) {
            return type == wanted && stream == ofStream;
        }

        int status() {
            return Integer.parseInt(String.valueOf(headers.status()));
        }

        String text() {
            return new String(payload, StandardCharsets.UTF_8);
        }
    }

    /** @param settings pairs of identifier and value */
    Http2Wire(int port, SSLContext client, int... settings) {
        try {
            socket = (SSLSocket) client.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port);
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setApplicationProtocols(new String[]{"h2"});
            socket.setSSLParameters(parameters);
            socket.setSoTimeout(60_000);
            in = new DataInputStream(socket.getInputStream());
            out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream(), 1 << 16));
            out.writeBytes(PREFACE);
            ByteArrayOutputStream values = new ByteArrayOutputStream();
            for (int i = 0; i < settings.length; i += 2) {
                values.writeBytes(new byte[]{0, (byte) settings[i]});
                values.writeBytes(number(settings[i + 1]));
            }
            send(SETTINGS, 0, 0, values.toByteArray());
            flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static byte[] number(int value) {
        return new byte[]{(byte) (value >> 24), (byte) (value >> 16), (byte) (value >> 8), (byte) value};
    }

    /** Writes a frame, which {@link #flush} sends. */
    void send(int type, int flags, int stream, byte[] payload) throws IOException {
        out.writeByte(payload.length >> 16);
        out.writeShort(payload.length);
        out.writeByte(type);
        out.writeByte(flags);
        out.writeInt(stream);
        out.write(payload);
    }

    void flush() throws IOException {
        out.flush();
    }

    /** Sends a whole GET with these headers beside the pseudo headers. */
    void get(int stream, String path, String... more) {
        try {
            send(HEADERS, END_STREAM | END_HEADERS, stream, head("GET", path, more));
            flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A header block of literals. */
    static byte[] head(String method, String path, String... more) {
        return join(block(":method", method, ":scheme", "https", ":path", path, ":authority", "localhost"),
                block(more));
    }

    static byte[] block(String... pairs) {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        for (int i = 0; i < pairs.length; i++) {
            if (i % 2 == 0) {
                block.write(0);
            }
            byte[] text = pairs[i].getBytes(StandardCharsets.ISO_8859_1);
            int rest = text.length - 127;
            block.write(rest < 0 ? text.length : 127);
            for (; rest >= 128; rest >>= 7) {
                block.write((rest & 127) | 128);
            }
            if (text.length >= 127) {
                block.write(rest);
            }
            block.writeBytes(text);
        }
        return block.toByteArray();
    }

    private static byte[] join(byte[] one, byte[] other) {
        ByteArrayOutputStream both = new ByteArrayOutputStream();
        both.writeBytes(one);
        both.writeBytes(other);
        return both.toByteArray();
    }

    /** The next frame that fits; settings are acknowledged, others dropped. */
    Frame await(Predicate<Frame> wanted) throws IOException {
        for (Frame frame = read();; frame = read()) {
            if (wanted.test(frame)) {
                return frame;
            }
            if (frame.type == SETTINGS && frame.flags == 0) {
                send(SETTINGS, 1, 0, new byte[0]);
                flush();
            }
        }
    }

    private Frame read() throws IOException {
        int length = (in.readUnsignedByte() << 16) | in.readUnsignedShort();
        int type = in.readUnsignedByte();
        int flags = in.readUnsignedByte();
        int stream = in.readInt();
        byte[] payload = in.readNBytes(length);
        return new Frame(type, flags, stream, payload, type == HEADERS
                ? decode(stream, flags, payload)
                : EmptyHttp2Headers.INSTANCE);
    }

    private Http2Headers decode(int stream, int flags, byte[] payload) throws IOException {
        try {
            int priority = (flags & PRIORITY) == 0 ? 0 : PRIORITY_BYTES;
            return decoder.decodeHeaders(stream,
                    Unpooled.wrappedBuffer(payload, priority, payload.length - priority));
        } catch (Http2Exception e) {
            throw new IOException(e);
        }
    }

    /** Whether the server has closed the connection, or does so before the next frame that fits comes. */
    boolean endsBefore(Predicate<Frame> frame) {
        try {
            await(frame);
            return false;
        } catch (IOException _) {
            return true;
        }
    }

    /** Makes {@link #close} a reset. */
    void breakOff() throws IOException {
        socket.setSoLinger(true, 0);
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
