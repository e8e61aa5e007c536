package dev.orderly.http.live;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * A WebSocket by hand, for behaviour that no client library has: sends no pongs, reads on request only, sends any
 * frame.
 */
public final class LiveSocket implements AutoCloseable {
    public static final int CONTINUATION = 0;
    public static final int TEXT = 1;
    public static final int CLOSE = 8;
    public static final int PING = 9;
    private static final int FINAL = 0x80;

    private final Socket socket = new Socket();
    private final DataInputStream in;

    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Frame(int opcode, byte[] payload) {}

    public LiveSocket(LiveNode node, String bearer) {
        try {
            socket.setReceiveBufferSize(4 << 10);
            socket.setSoTimeout(60_000);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), node.edge.port()));
            in = new DataInputStream(socket.getInputStream());
            send(("GET /.orderly/live HTTP/1.1\r\nHost: 127.0.0.1:" + node.edge.port() + "\r\nConnection: Upgrade\r\n"
                    + "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                    + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                    + "Sec-WebSocket-Extensions: permessage-deflate\r\n"
                    + "Authorization: Bearer " + bearer + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
            String head = head();
            if (!head.startsWith("HTTP/1.1 101") || head.contains("deflate") || !head.contains("no-store")) {
                throw new IllegalStateException(head);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String head() throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) in.readUnsignedByte());
        }
        return head.toString();
    }

    public void send(byte[] raw) {
        try {
            OutputStream out = socket.getOutputStream();
            out.write(raw);
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends a masked frame, with a mask of zeros. */
    public void frame(int opcode, boolean last, byte[] payload) {
        ByteBuffer frame = ByteBuffer.allocate(payload.length + 14);
        frame.put((byte) ((last ? FINAL : 0) | opcode));
        if (payload.length < 126) {
            frame.put((byte) (FINAL | payload.length));
        } else if (payload.length < 1 << 16) {
            frame.put((byte) (FINAL | 126)).putShort((short) payload.length);
        } else {
            frame.put((byte) (FINAL | 127)).putLong(payload.length);
        }
        frame.putInt(0).put(payload);
        byte[] raw = new byte[frame.position()];
        frame.get(0, raw);
        send(raw);
    }

    /** The next frame. */
    public Frame read() throws IOException {
        int opcode = in.readUnsignedByte() & 0xf;
        long length = in.readUnsignedByte();
        if (length == 126) {
            length = in.readUnsignedShort();
        } else if (length == 127) {
            length = in.readLong();
        }
        return new Frame(opcode, in.readNBytes((int) length));
    }

    /** The code of the next close frame, after any other frames; 1006 if the connection ends without a close frame. */
    public int closeCode() {
        try {
            for (Frame frame = read();; frame = read()) {
                if (frame.opcode() == CLOSE) {
                    return ByteBuffer.wrap(frame.payload()).getShort() & 0xffff;
                }
            }
        } catch (EOFException | SocketException _) {
            return 1006;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
