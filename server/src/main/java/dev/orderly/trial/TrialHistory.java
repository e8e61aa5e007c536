package dev.orderly.trial;

import dev.orderly.time.Time;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import tools.jackson.databind.json.JsonMapper;

/**
 * The events of a trial in the order in which they were recorded, as JSON lines and as EDN. One lock covers the moment
 * and the line, so the order of the lines is that of the moments. Thread-safe.
 */
final class TrialHistory implements Closeable {
    private final ReentrantLock lock = new ReentrantLock();
    private final Time time;
    private final long began;
    private final Writer json;
    private final Writer edn;

    /** Creates both files; neither may exist. */
    TrialHistory(Path json, Path edn, Time time) throws IOException {
        this.time = time;
        this.began = time.nanos();
        this.json = Files.newBufferedWriter(json, StandardOpenOption.CREATE_NEW);
        this.edn = Files.newBufferedWriter(edn, StandardOpenOption.CREATE_NEW);
    }

    /**
     * Writes one event and flushes it.
     *
     * @return its microseconds since the trial began
     * @throws UncheckedIOException if the file cannot be written; the trial then proves nothing
     */
    long record(String op, Map<String, Object> facts) {
        lock.lock();
        try {
            long micros = micros();
            Map<String, Object> event = new LinkedHashMap<>();
            event.put("us", micros);
            event.put("op", op);
            event.putAll(facts);
            json.write(JsonMapper.shared().writeValueAsString(event) + "\n");
            json.flush();
            edn.write(event.entrySet().stream()
                    .map(each -> ":" + each.getKey() + " " + JsonMapper.shared().writeValueAsString(each.getValue()))
                    .collect(Collectors.joining(" ", "{", "}\n")));
            edn.flush();
            return micros;
        } catch (IOException e) {
            throw new UncheckedIOException("The history cannot be written: free space on its disk, and begin again", e);
        } finally {
            lock.unlock();
        }
    }

    /** Microseconds since the trial began. */
    long micros() {
        return (time.nanos() - began) / 1_000;
    }

    @Override
    public void close() throws IOException {
        try (edn) {
            json.close();
        }
    }
}
