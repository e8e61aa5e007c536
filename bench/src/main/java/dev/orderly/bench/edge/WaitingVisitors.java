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
final class WaitingVisitors implements AutoCloseable {
    private static final int PORTS = 25_000;

    private final InetSocketAddress address;
    private final String base;
    private final List<SocketChannel> connected = new ArrayList<>();
    private String joined = "";

    WaitingVisitors(int port, String base) {
        this.address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        this.base = base;
    }

    /** Adds visitors who take a place, and keep their connection without further requests. */
    void ask(int visitors) throws IOException {
        for (int i = 0; i < visitors; i++) {
            join();
        }
    }

    private SocketChannel open() throws IOException {
        SocketChannel channel = SocketChannel.open();
        // more than 28,000 connections need more than one source address
        channel.bind(new InetSocketAddress("127.0.0." + (2 + connected.size() / PORTS), 0));
        channel.connect(address);
        connected.add(channel);
        return channel;
    }

    private SocketChannel join() throws IOException {
        SocketChannel channel = open();
        joined = ask(channel, "POST " + base + "/ticket HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\n\r\n");
        return channel;
    }

    void connect(int visitors) throws IOException {
        for (int i = 0; i < visitors; i++) {
            SocketChannel channel = join();
            int cookie = joined.toLowerCase(Locale.ROOT).indexOf("set-cookie: ") + "set-cookie: ".length();
            String ticket = joined.substring(cookie, joined.indexOf(';', cookie));
            ask(channel, "GET " + base + "/events HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: " + ticket + "\r\n\r\n");
        }
    }

    /** Sends a request; returns the first part of the answer. */
    private static String ask(SocketChannel channel, String request) throws IOException {
        channel.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII)));
        ByteBuffer answer = ByteBuffer.allocate(4_096);
        channel.read(answer);
        String text = new String(answer.array(), 0, answer.position(), StandardCharsets.UTF_8);
        if (!text.startsWith("HTTP/1.1 2")) {
            throw new IOException("Refused: " + text);
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
