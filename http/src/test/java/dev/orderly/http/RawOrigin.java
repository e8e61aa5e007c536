package dev.orderly.http;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** An origin on a raw socket that records every received byte and sends any bytes, HTTP or not. */
public final class RawOrigin implements AutoCloseable {
    /** Every received request, head and body as sent. */
    public final List<String> requests = new CopyOnWriteArrayList<>();
    /** Number of accepted connections. */
    public final AtomicInteger connections = new AtomicInteger();
    /** Number of connections closed by the edge. */
    public final AtomicInteger closed = new AtomicInteger();
    private final List<Socket> open = new CopyOnWriteArrayList<>();
    private final ServerSocket server;
    private final Script script;

    /** The handling of a request: returns the bytes to send, or sends by itself and returns none. */
    @FunctionalInterface
    public interface Script {
        String answer(String head, Wire wire) throws IOException;
    }

    /** A connection, for scripts that do more than answer. */
    public record Wire(InputStream in, OutputStream out, Socket socket) {
        public void send(String text) throws IOException {
            out.write(text.getBytes(StandardCharsets.ISO_8859_1));
            out.flush();
        }
    }

    public RawOrigin(Script script) {
        this.script = script;
        try {
            server = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().start(this::accept);
    }

    /** An origin that switches to echoing bytes on {@code /ws}, and refuses other paths. */
    public static RawOrigin echo() {
        return new RawOrigin((head, wire) -> {
            if (!head.contains("/ws")) {
                return "HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno";
            }
            wire.send("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                    + "Sec-WebSocket-Accept: a\r\n\r\nhi!");
            byte[] buffer = new byte[8_192];
            for (int n = wire.in().read(buffer); n >= 0; n = wire.in().read(buffer)) {
                wire.out().write(buffer, 0, n);
                wire.out().flush();
            }
            return readHead(wire).isEmpty() ? "-" : "";
        });
    }

    /** An origin that answers every request with this text. */
    public static RawOrigin saying(String text) {
        return new RawOrigin((_, _) -> ok(text));
    }

    public static String ok(String text) {
        return "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: " + text.length() + "\r\n\r\n" + text;
    }

    public int port() {
        return server.getLocalPort();
    }

    public URI uri() {
        return URI.create("http://127.0.0.1:" + port());
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = server.accept();
                connections.incrementAndGet();
                open.add(socket);
                Thread.ofVirtual().start(() -> serve(socket));
            }
        } catch (IOException _) {
            // closed
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            Wire wire = new Wire(new BufferedInputStream(socket.getInputStream()), socket.getOutputStream(), socket);
            for (String head = head(wire.in()); !head.isEmpty(); head = head(wire.in())) {
                boolean waits = head.toLowerCase(Locale.ROOT).contains("\nexpect: 100-continue");
                int at = requests.size();
                requests.add(head);
                if (!waits) {
                    requests.set(at, head + body(head, wire.in()));
                }
                String answer = script.answer(head, wire);
                if (answer.isEmpty()) {
                    return;
                }
                wire.send(answer);
            }
            closed.incrementAndGet();
        } catch (SocketException _) {
            closed.incrementAndGet();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits for another request on a connection, or for its end. */
    public static String readHead(Wire wire) throws IOException {
        return head(wire.in());
    }

    private static String head(InputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        int ends = 0;
        for (int b = in.read(); b >= 0; b = in.read()) {
            head.write(b);
            ends = b == '\n' ? ends + 1 : b == '\r' ? ends : 0;
            if (ends == 2) {
                break;
            }
        }
        return head.toString(StandardCharsets.ISO_8859_1);
    }

    public static String body(String head, InputStream in) throws IOException {
        String lower = head.toLowerCase(Locale.ROOT);
        if (lower.contains("\ntransfer-encoding: chunked")) {
            StringBuilder body = new StringBuilder();
            while (!body.toString().endsWith("0\r\n\r\n")) {
                int b = in.read();
                if (b < 0) {
                    return body + "<cut>";
                }
                body.append((char) b);
            }
            return body.toString();
        }
        int length = lower.indexOf("\ncontent-length: ");
        if (length < 0) {
            return "";
        }
        int count = Integer.parseInt(lower.substring(length + 17, lower.indexOf('\r', length)));
        byte[] bytes = in.readNBytes(count);
        return new String(bytes, StandardCharsets.ISO_8859_1) + (bytes.length < count ? "<cut>" : "");
    }

    @Override
    public void close() {
        try {
            server.close();
            for (Socket socket : open) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
