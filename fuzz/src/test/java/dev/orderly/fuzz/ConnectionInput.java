package dev.orderly.fuzz;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a connection to the edge, which then half closes it. Whatever they are, the edge ends the connection,
 * sends no answer with a server error of its own, sends on only what it may, and serves the next connection.
 */
final class ConnectionInput implements FuzzTarget.Input {
    private static final int PATIENCE = 30_000;
    private static final Pattern FAULT = Pattern.compile("HTTP/1\\.[01] 50[02]");
    private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
    private static final String GET = "GET /alive HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

    private final FuzzedSite site;
    private final Kind kind;

    private enum Kind {
        PLAIN(""), PROXIED(", proxy-protocol: true, trusted-proxies: [127.0.0.1]"),
        HTTP2(", tls: { certificate: site.pem, key: site.key }");

        private final String edge;

        Kind(String edge) {
            this.edge = edge;
        }
    }

    private ConnectionInput(Kind kind) {
        this.kind = kind;
        this.site = new FuzzedSite(kind.edge, kind == Kind.PROXIED ? null : "127.0.0.1");
    }

    static ConnectionInput edge() {
        return new ConnectionInput(Kind.PLAIN);
    }

    static ConnectionInput proxied() {
        return new ConnectionInput(Kind.PROXIED);
    }

    static ConnectionInput http2() {
        return new ConnectionInput(Kind.HTTP2);
    }

    @Override
    public void run(byte[] input) throws Exception {
        byte[] sent = input;
        if (kind == Kind.HTTP2) {
            ByteArrayOutputStream framed = new ByteArrayOutputStream();
            framed.writeBytes(PREFACE.getBytes(StandardCharsets.ISO_8859_1));
            framed.writeBytes(input);
            sent = framed.toByteArray();
        }
        String answer = exchange(sent, kind == Kind.HTTP2 ? "h2" : null);
        if (kind != Kind.HTTP2 && FAULT.matcher(answer).find()) {
            throw new AssertionError("A server error: " + answer);
        }
        site.origin.judge();
        String alive = exchange(((kind == Kind.PROXIED ? "PROXY TCP4 192.0.2.7 127.0.0.1 1000 80\r\n" : "") + GET)
                .getBytes(StandardCharsets.ISO_8859_1), kind == Kind.HTTP2 ? "http/1.1" : null);
        if (!alive.startsWith("HTTP/1.1 200")) {
            throw new AssertionError("The next connection gets: " + alive);
        }
        site.origin.judge();
    }

    /** Sends bytes, and returns all that comes until the edge closes the connection. */
    private String exchange(byte[] bytes, @Nullable String protocol) throws IOException {
        try (Socket socket = protocol == null ? open() : open(protocol)) {
            socket.setSoTimeout(PATIENCE);
            ByteArrayOutputStream answer = new ByteArrayOutputStream();
            try {
                socket.getOutputStream().write(bytes);
                if (!new String(bytes, StandardCharsets.ISO_8859_1).endsWith(GET)) {
                    socket.shutdownOutput();
                }
                socket.getInputStream().transferTo(answer);
            } catch (SocketTimeoutException e) {
                throw new AssertionError("The edge leaves the connection open, after "
                        + answer.toString(StandardCharsets.ISO_8859_1), e);
            } catch (IOException e) {
                // the edge may close the connection at any time
            }
            return answer.toString(StandardCharsets.ISO_8859_1);
        }
    }

    private Socket open() throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), site.server.edgePort());
    }

    private Socket open(String protocol) throws IOException {
        SSLSocket socket = (SSLSocket) site.authority.clientContext().getSocketFactory().createSocket("localhost",
                site.server.edgePort());
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setApplicationProtocols(new String[]{protocol});
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        return socket;
    }
}
