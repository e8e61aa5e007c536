package dev.orderly.web.room.log;

import dev.orderly.Internal;
import dev.orderly.flow.BackgroundLoop;
import dev.orderly.flow.LogLimit;
import dev.orderly.text.VisibleText;
import dev.orderly.time.Time;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * A visitor log as JSON lines, written by one thread of its own. Callers put entries into a queue of at most
 * {@value #CAPACITY}, about 20 MB at worst. A full queue loses entries: their number is a line of the log itself, and a
 * warning at most once a minute.
 */
@Internal(to = "dev.orderly")
public final class QueuedVisitorLog implements VisitorLog, AutoCloseable {
    static final int CAPACITY = 4_096;

    private static final Logger LOG = LoggerFactory.getLogger(QueuedVisitorLog.class);
    private static final Duration PAUSE = Duration.ofMillis(100);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration STOP = Duration.ofSeconds(5);
    private static final int CHUNK = 256;

    private final LineSink sink;
    private final LoggedAddress addresses;
    private final Time time;
    private final double share;
    private final DoubleSupplier random;
    /** Refuses entries without a lock while it is full. */
    private final LinkedBlockingQueue<VisitorEntry> queue = new LinkedBlockingQueue<>(CAPACITY);
    private final LongAdder lost = new LongAdder();
    private final AtomicBoolean reopen = new AtomicBoolean();
    private final LogLimit warnings;
    private final BackgroundLoop loop;
    private long reported;

    /**
     * A log that is not started yet.
     *
     * @param share of the requests that is recorded, 0 to 1
     * @param random uniform in [0, 1), from any thread
     */
    public QueuedVisitorLog(LineSink sink, LoggedAddress addresses, Time time, double share, DoubleSupplier random) {
        Objects.requireNonNull(addresses, "addresses");
        Objects.requireNonNull(random, "random");
        Objects.requireNonNull(sink, "sink");
        this.sink = sink;
        this.addresses = addresses;
        this.time = time;
        this.share = share;
        this.random = random;
        this.warnings = new LogLimit(LOG, time, MINUTE);
        this.loop = new BackgroundLoop("visitor-log", time, this::step);
    }

    public void start() {
        loop.start();
    }

    @Override
    public @Nullable Instant next() {
        return share >= 1 || random.getAsDouble() < share ? time.now() : null;
    }

    @Override
    public void add(VisitorEntry entry) {
        Objects.requireNonNull(entry, "entry");
        if (!queue.offer(entry)) {
            lost.increment();
        }
    }

    /** Entries lost so far, since the queue was full or the file could not be written. */
    public long lost() {
        return lost.sum();
    }

    /** Opens the file anew before the next line. Does not block. */
    public void reopen() {
        reopen.set(true);
        loop.ring();
    }

    /** Writes what is queued, within 5 s, and closes the file. */
    @Override
    public void close() {
        loop.stop(STOP);
        if (loop.overdue().isZero()) {
            step();
        }
        sink.close();
    }

    /** Writes one chunk; zero if more may be queued. */
    Duration step() {
        if (reopen.getAndSet(false)) {
            attempt(0, sink::reopen);
        }
        List<VisitorEntry> chunk = new ArrayList<>(CHUNK);
        queue.drainTo(chunk, CHUNK);
        long missing = lost.sum() - reported;
        if (chunk.isEmpty() && missing == 0) {
            return PAUSE;
        }
        if (missing > 0) {
            warnings.warn("The visitor log lost {} requests, {} since the start: the disk is slower than the visitors;"
                    + " record a sample (visitor-log.requests: sampled)", missing, lost.sum());
        }
        if (attempt(chunk.size(), () -> sink.write(lines(chunk, missing)))) {
            reported += missing;
        }
        return chunk.size() < CHUNK ? PAUSE : Duration.ZERO;
    }

    private interface Write {
        void run() throws IOException;
    }

    private boolean attempt(int entries, Write write) {
        try {
            write.run();
            return true;
        } catch (IOException | RuntimeException e) {
            lost.add(entries);
            warnings.warn("The visitor log cannot be written: {}. Check disk and permissions", e.toString());
            return false;
        }
    }

    private byte[] lines(List<VisitorEntry> chunk, long missing) {
        ByteArrayOutputStream lines = new ByteArrayOutputStream(chunk.size() * 256);
        if (missing > 0) {
            ObjectNode line = JsonMapper.shared().createObjectNode();
            write(line.put("time", time.now().toString()).put("lost", missing), lines);
        }
        chunk.forEach(entry -> write(line(entry), lines));
        return lines.toByteArray();
    }

    private ObjectNode line(VisitorEntry entry) {
        ObjectNode line = JsonMapper.shared().createObjectNode();
        line.put("time", entry.at().toString()).put("room", entry.room())
                .put("address", addresses.of(entry.address())).put("method", entry.method())
                .put("url", entry.target()).put("agent", entry.agent()).put("permitted", entry.permitted())
                .put("status", entry.status() == 0 ? null : Integer.valueOf(entry.status()))
                .put("cursor", entry.cursor()).put("place", entry.place());
        if (entry.tier() != null) {
            line.put("tier", entry.tier());
        }
        return line;
    }

    private static void write(ObjectNode line, ByteArrayOutputStream to) {
        to.writeBytes(VisibleText.of(JsonMapper.shared().writeValueAsString(line)).getBytes(StandardCharsets.UTF_8));
        to.write('\n');
    }
}
