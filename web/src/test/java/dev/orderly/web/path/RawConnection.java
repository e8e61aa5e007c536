package dev.orderly.web.path;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A client that sends a request target as it is, over one connection as long as the server keeps it. */
public final class RawConnection implements AutoCloseable {
    private final int port;
    private @Nullable Socket socket;
    private @Nullable InputStream in;

    public RawConnection(int port) {
        this.port = port;
    }

    /**
     * The status of the answer to a request; 0 if the connection ends without one.
     *
     * @param headers each with its line end
     */
    public int status(String method, String target, String headers) {
        try {
            String request = method + " " + target + " HTTP/1.1\r\nHost: 127.0.0.1\r\n" + headers + "\r\n";
            boolean kept = socket != null;
            int status = exchange(request);
            return status == 0 && kept ? exchange(request) : status; // the server had closed it meanwhile
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private int exchange(String request) throws IOException {
        Socket open = socket;
        if (open == null) {
            open = new Socket(InetAddress.getLoopbackAddress(), port);
            open.setSoTimeout(60_000);
            open.setTcpNoDelay(true);
            socket = open;
            in = new BufferedInputStream(open.getInputStream());
        }
        String status;
        try {
            open.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            status = line();
        } catch (SocketException _) {
            status = "";
        }
        long length = -1;
        boolean closes = status.isEmpty();
        for (String header = closes ? "" : line(); !header.isEmpty(); header = line()) {
            String lower = header.toLowerCase(Locale.ROOT).replace(" ", "");
            if (lower.startsWith("content-length:")) {
                length = Long.parseLong(lower.substring(15));
            }
            closes |= lower.equals("connection:close");
        }
        if (length >= 0 && !closes) {
            source().skipNBytes(length);
        } else if (!closes) { // chunked
            for (int chunk = chunk(); chunk > 0; chunk = chunk()) {
                source().skipNBytes(chunk + 2);
            }
            line();
        } else {
            close();
        }
        return status.isEmpty() ? 0 : Integer.parseInt(status.substring(9, 12));
    }

    private int chunk() throws IOException {
        return Integer.parseInt(line(), 16);
    }

    private InputStream source() {
        if (in == null) {
            throw new IllegalStateException("Not connected");
        }
        return in;
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = source().read(); c >= 0 && c != '\n'; c = source().read()) {
            line.append((char) c);
        }
        return line.toString().stripTrailing();
    }

    @Override
    public void close() {
        try {
            if (socket != null) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        socket = null;
    }
}
