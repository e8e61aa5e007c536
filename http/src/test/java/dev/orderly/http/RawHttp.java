package dev.orderly.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A raw socket, for bytes that a client library would not send. */
public final class RawHttp implements AutoCloseable {
    private final Socket socket;

    public RawHttp(int port) {
        try {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setSoTimeout(60_000);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The status of the first answer to these bytes; 0 if the connection ends without one. */
    public static int status(int port, String request) {
        try (RawHttp raw = new RawHttp(port)) {
            return raw.offer(request) ? statusOf(raw.line()) : 0;
        }
    }

    public static int statusOf(String line) {
        return line.startsWith("HTTP/1.") ? Integer.parseInt(line.substring(9, 12)) : 0;
    }

    public void send(String text) {
        try {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
            socket.getOutputStream().flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Closes the sending direction. */
    public void finish() {
        try {
            socket.shutdownOutput();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether the bytes could be sent: false once the other side has closed for good. */
    public boolean offer(String text) {
        try {
            send(text);
            return true;
        } catch (UncheckedIOException _) {
            return false;
        }
    }

    /** The next line without its end; the received part if the connection ends. */
    public String line() {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        try {
            InputStream in = socket.getInputStream();
            for (int b = in.read(); b >= 0 && b != '\n'; b = in.read()) {
                line.write(b);
            }
        } catch (java.net.SocketException _) {
            return "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return line.toString(StandardCharsets.ISO_8859_1).stripTrailing();
    }

    /** This many bytes, or fewer if the connection ends. */
    public String bytes(int count) {
        try {
            return new String(socket.getInputStream().readNBytes(count), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** All bytes until the connection ends. */
    public String rest() {
        try {
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        } catch (java.net.SocketException _) {
            return "";
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
