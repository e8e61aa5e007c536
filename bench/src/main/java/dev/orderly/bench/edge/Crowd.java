package dev.orderly.bench.edge;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Visitors who take a place and stay connected to its events. */
final class Crowd implements AutoCloseable {
    private final InetSocketAddress address;
    private final String base;
    private final List<SocketChannel> connected = new ArrayList<>();

    Crowd(int port, String base) {
        this.address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        this.base = base;
    }

    void connect(int visitors) throws IOException {
        for (int i = 0; i < visitors; i++) {
            SocketChannel channel = SocketChannel.open(address);
            connected.add(channel);
            String joined = ask(channel, "POST " + base + "/ticket HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                    + "Content-Length: 0\r\n\r\n");
            int cookie = joined.toLowerCase(Locale.ROOT).indexOf("set-cookie: ") + "set-cookie: ".length();
            String ticket = joined.substring(cookie, joined.indexOf(';', cookie));
            ask(channel, "GET " + base + "/events HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: " + ticket + "\r\n\r\n");
        }
    }

    /** What is there of the answer at first. */
    private static String ask(SocketChannel channel, String request) throws IOException {
        channel.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII)));
        ByteBuffer answer = ByteBuffer.allocate(4_096);
        channel.read(answer);
        String text = new String(answer.array(), 0, answer.position(), StandardCharsets.UTF_8);
        if (!text.startsWith("HTTP/1.1 2")) {
            throw new IOException("Not taken: " + text);
        }
        return text;
    }

    @Override
    public void close() throws IOException {
        for (SocketChannel channel : connected) {
            channel.close();
        }
    }
}
