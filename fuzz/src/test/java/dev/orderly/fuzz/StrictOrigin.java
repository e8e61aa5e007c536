package dev.orderly.fuzz;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A site that reads what the edge sends by the letter of RFC 9112, with a parser of its own, and keeps the first thing
 * that a proxy must never send on.
 */
final class StrictOrigin implements AutoCloseable {
    private static final Pattern LINE = Pattern.compile("[!#$%&'*+.^_`|~A-Za-z0-9-]+ (/[!-~]*|\\*) HTTP/1\\.1");
    private static final Pattern HEADER = Pattern
            .compile("([!#$%&'*+.^_`|~A-Za-z0-9-]+):[ \\t]*([!-~\\x80-\\xff \\t]*)");
    private static final Set<String> HOPS = Set.of("keep-alive", "proxy-connection", "te", "trailer",
            "proxy-authorization", "http2-settings");
    private static final byte[] ANSWER = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
            .getBytes(StandardCharsets.ISO_8859_1);

    /** The only client there is; null if its proxy names others. */
    private final @Nullable String client;
    private final ServerSocket server;
    private final AtomicReference<@Nullable String> fault = new AtomicReference<>();

    /** @param client the address of the only client; null if its proxy names others */
    StrictOrigin(@Nullable String client) {
        this.client = client;
        try {
            server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return server.getLocalPort();
    }

    /** @throws AssertionError if the edge has sent what it must not */
    void judge() {
        String found = fault.getAndSet(null);
        if (found != null) {
            throw new AssertionError("The origin got " + found);
        }
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket connection = server.accept();
                Thread.ofVirtual().start(() -> serve(connection));
            } catch (IOException e) {
                return; // closed
            }
        }
    }

    private void serve(Socket connection) {
        try (connection; InputStream in = new BufferedInputStream(connection.getInputStream())) {
            while (request(in)) {
                connection.getOutputStream().write(ANSWER);
            }
        } catch (IOException e) {
            // the edge has closed it
        }
    }

    /** Reads one request; whether another may follow. */
    private boolean request(InputStream in) throws IOException {
        String line = line(in);
        if (line == null) {
            return false;
        }
        if (!LINE.matcher(line).matches()) {
            return fault("a request line that is none: " + line);
        }
        List<String> names = new ArrayList<>();
        long length = 0;
        boolean chunked = false;
        for (String header = line(in); header != null && !header.isEmpty(); header = line(in)) {
            var parts = HEADER.matcher(header);
            if (!parts.matches()) {
                return fault("a header that is none: " + header);
            }
            String name = parts.group(1).toLowerCase(Locale.ROOT);
            String value = parts.group(2).strip();
            names.add(name);
            switch (name) {
                case "content-length" -> length = value.matches("[0-9]{1,12}") ? Long.parseLong(value) : -1;
                case "transfer-encoding" -> chunked = value.equals("chunked");
                case "upgrade" -> length = value.equalsIgnoreCase("websocket") ? length : -1;
                case "x-forwarded-for" -> length = client == null || value.equals(client) ? length : -2;
                default -> {
                }
            }
        }
        boolean both = names.contains("content-length") && names.contains("transfer-encoding");
        if (both || length == -1 || (names.contains("transfer-encoding") && !chunked)
                || names.stream().filter("content-length"::equals).count() > 1) {
            return fault("a body of unclear length: " + line + " " + names);
        }
        if (length == -2) {
            return fault("the address that a stranger has chosen: " + line);
        }
        if (names.stream().filter("host"::equals).count() != 1 || names.stream().anyMatch(HOPS::contains)) {
            return fault("headers of the connection, or another number of hosts than one: " + line + " " + names);
        }
        if (isKept(line.split(" ", -1)[1])) {
            return fault("a path that is not for it: " + line);
        }
        return chunked ? chunks(in) : in.skip(length) == length || length == 0;
    }

    /** Whether a plain server reads the path as one of the closed room or of Orderly itself. */
    private static boolean isKept(String target) {
        String path = URLDecoder.decode(target.split("[?]", 2)[0].replace("+", "%2B"), StandardCharsets.UTF_8)
                .toLowerCase(Locale.ROOT);
        return path.equals("/vip") || path.startsWith("/vip/") || path.equals("/.orderly")
                || path.startsWith("/.orderly/");
    }

    private boolean chunks(InputStream in) throws IOException {
        while (true) {
            String size = line(in);
            if (size == null || !size.matches("[0-9a-fA-F]{1,8}")) {
                return size != null && fault("a chunk of the size " + size);
            }
            int length = Integer.parseInt(size, 16);
            if (length == 0) {
                String end = line(in);
                return end != null && (end.isEmpty() || fault("a trailer: " + end));
            }
            in.readNBytes(length);
            String end = line(in);
            if (end == null || !end.isEmpty()) {
                return end != null && fault("a chunk that is longer than its size");
            }
        }
    }

    private boolean fault(String what) {
        fault.compareAndSet(null, what);
        return false;
    }

    /** A line that ends by CR LF, without them; null at the end of the connection. */
    private static @Nullable String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int read = in.read(); read >= 0; read = in.read()) {
            if (read == '\n' && !line.isEmpty() && line.charAt(line.length() - 1) == '\r') {
                return line.substring(0, line.length() - 1);
            }
            line.append((char) read);
        }
        return null;
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
