package dev.orderly.bench.edge;

import dev.orderly.time.Time;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;

/** What open dashboards cost a node that works. Needs {@code taskset} on the path. */
public final class DashboardBench {
    private static final int DASHBOARDS = 50;
    private static final int WARM_UP_SECONDS = 15;
    private static final int BUFFER = 64 << 10;

    private final PrintStream out;
    private final Path folder;
    private final int seconds;
    private final Time time = Time.system();
    private final AtomicLong received = new AtomicLong();

    /** @param seconds of each measurement */
    public DashboardBench(PrintStream out, Path folder, int seconds) {
        this.out = out;
        this.folder = folder;
        this.seconds = Math.max(5, seconds);
    }

    /**
     * Processor time of a node at 1,000 jobs a second without dashboards, with one page open 50 times, with several.
     */
    public void open() throws IOException {
        try (PinnedProcess node = PinnedProcess.node("0", DashboardProcess.class,
                Files.createTempDirectory(folder, "dashboard").toString())) {
            InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(),
                    (int) node.printed("port"));
            measure(node, address, 0, _ -> "/"); // warms up everything but the pages
            pause(WARM_UP_SECONDS);
            measure(node, address, DASHBOARDS, DashboardBench::any);
            double none = measure(node, address, 0, _ -> "/");
            double one = measure(node, address, DASHBOARDS, _ -> "/");
            double again = measure(node, address, 0, _ -> "/");
            double several = measure(node, address, DASHBOARDS, DashboardBench::any);
            double last = measure(node, address, 0, _ -> "/");
            out.printf(Locale.ROOT, "%d jobs a second take %.1f %% of a core (%.1f to %.1f)%n",
                    DashboardProcess.PER_SECOND, again, Math.min(none, last), Math.max(none, last));
            out.printf(Locale.ROOT, "  the overview open %d times: %+.1f %% of a core%n", DASHBOARDS,
                    one - (none + again) / 2);
            out.printf(Locale.ROOT, "  %d pages, %d of them different: %+.1f %% of a core%n", DASHBOARDS,
                    DashboardProcess.QUEUES + 2, several - (again + last) / 2);
        }
    }

    private static String any(int number) {
        int page = number % (DashboardProcess.QUEUES + 2);
        return page == 0 ? "/" : page == 1 ? "/queues" : "/queues/queue" + (page - 2);
    }

    /** Percent of a core that the node uses while so many pages are open. */
    private double measure(PinnedProcess node, InetSocketAddress address, int pages, IntFunction<String> page)
            throws IOException {
        List<SocketChannel> open = new ArrayList<>();
        try {
            for (int i = 0; i < pages; i++) {
                open.add(connect(address, page.apply(i)));
            }
            pause(2);
            received.set(0);
            double before = node.cpuSeconds();
            long start = time.nanos();
            pause(seconds);
            double used = (node.cpuSeconds() - before) / ((time.nanos() - start) / 1e9);
            if (pages > 0 && received.get() == 0) {
                throw new IOException("No page was updated");
            }
            return 100 * used;
        } finally {
            for (SocketChannel channel : open) {
                channel.close();
            }
        }
    }

    private SocketChannel connect(InetSocketAddress address, String page) throws IOException {
        SocketChannel channel = SocketChannel.open(address);
        channel.write(ByteBuffer.wrap(("GET /events?page=" + page + " HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                + "Authorization: Bearer " + DashboardProcess.TOKEN.text() + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII)));
        var _ = Thread.ofVirtual().start(() -> read(channel));
        return channel;
    }

    private void read(SocketChannel channel) {
        ByteBuffer buffer = ByteBuffer.allocate(BUFFER);
        try {
            for (int read = channel.read(buffer); read >= 0; read = channel.read(buffer.clear())) {
                received.addAndGet(read);
            }
        } catch (IOException _) {
            // closed by the measurement
        }
    }

    private void pause(int length) {
        long due = time.deadline(Duration.ofSeconds(length));
        while (!time.reached(due)) {
            time.park(due);
        }
    }
}
