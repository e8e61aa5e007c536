package dev.orderly.bench.edge;

import dev.orderly.time.Time;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Users who are connected by WebSocket and get a message now and then. Needs {@code taskset} on the path. */
public final class LiveBench {
    private static final int CONNECTIONS = 10_000;
    private static final int WARMING = 3;
    private static final long PATIENCE_MILLIS = 30_000;

    private final PrintStream out;
    private final Path folder;
    private final int rounds;
    private final Time time = Time.system();

    public LiveBench(PrintStream out, Path folder, int rounds) {
        this.out = out;
        this.folder = folder;
        this.rounds = rounds;
    }

    /** Live heap that 10,000 idle connections of 5,000 users add, and the time until all have received a message. */
    public void connected() throws IOException {
        List<SocketChannel> all = new ArrayList<>();
        try (PinnedProcess node = PinnedProcess.node("0", LiveProcess.class,
                Files.createTempDirectory(folder, "live").toString());
                Selector selector = Selector.open()) {
            InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(),
                    (int) node.printed("port"));
            all.add(connect(address, 0)); // classes loaded by the first connection are not counted
            long before = node.ask("heap");
            for (int i = 1; i < CONNECTIONS; i++) {
                all.add(connect(address, i));
            }
            long after = node.ask("heap");
            out.printf(Locale.ROOT, "%d live connections of %d users: %.1f KiB of live heap each%n", CONNECTIONS,
                    LiveProcess.USERS, (after - before) / 1024.0 / (CONNECTIONS - 1));
            for (SocketChannel channel : all) {
                channel.configureBlocking(false);
                channel.register(selector, SelectionKey.OP_READ);
            }
            double[] millis = new double[rounds];
            for (int round = -WARMING; round < rounds; round++) {
                double took = broadcast(node, selector);
                if (round >= 0) {
                    millis[round] = took;
                }
            }
            Arrays.sort(millis);
            out.printf(Locale.ROOT, "  one message to all of them: %.0f ms until the last received it (%.0f to %.0f)%n",
                    millis[rounds / 2], millis[0], millis[rounds - 1]);
        } finally {
            for (SocketChannel channel : all) {
                channel.close();
            }
        }
    }

    private static SocketChannel connect(InetSocketAddress address, int number) throws IOException {
        SocketChannel channel = SocketChannel.open(address);
        String request = "GET /.orderly/live HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\n"
                + "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                + "Authorization: Bearer user"
                + number % LiveProcess.USERS + "\r\n\r\n";
        channel.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII)));
        ByteBuffer answer = ByteBuffer.allocate(4_096);
        String text = "";
        while (!text.endsWith("\"ready\"}")) { // a frame of its own, after the answer
            int read = channel.read(answer);
            text = new String(answer.array(), 0, answer.position(), StandardCharsets.ISO_8859_1);
            if (read < 0 || !text.startsWith("HTTP/1.1 101")) {
                channel.close();
                throw new IOException("Refused: " + text);
            }
        }
        return channel;
    }

    /** Milliseconds until every connection has received its frame. */
    private double broadcast(PinnedProcess node, Selector selector) throws IOException {
        long missing = CONNECTIONS * (LiveProcess.MESSAGE.length() + 2L); // each frame has a head of two bytes
        ByteBuffer buffer = ByteBuffer.allocate(4_096);
        long start = time.nanos();
        node.ask("say");
        while (missing > 0) {
            if (selector.select(PATIENCE_MILLIS) == 0) {
                throw new IOException(missing + " bytes did not come");
            }
            for (SelectionKey key : selector.selectedKeys()) {
                int read = ((SocketChannel) key.channel()).read(buffer.clear());
                if (read < 0) {
                    throw new IOException("A connection was closed");
                }
                missing -= read;
            }
            selector.selectedKeys().clear();
        }
        return (time.nanos() - start) / 1e6;
    }
}
