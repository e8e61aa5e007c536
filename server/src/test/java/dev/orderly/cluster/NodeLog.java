package dev.orderly.cluster;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The record of a process: lines of words. A line is with the operating system when {@link #write} returns, so
 * {@code kill -9} loses none; an interrupted thread writes too. Thread-safe.
 */
final class NodeLog {
    private final FileOutputStream file;
    private final ReentrantLock lock = new ReentrantLock();

    NodeLog(Path path) throws IOException {
        file = new FileOutputStream(path.toFile(), true);
    }

    void write(Object... words) {
        byte[] line = (Stream.of(words).map(String::valueOf).collect(Collectors.joining(" ")) + "\n")
                .getBytes(StandardCharsets.UTF_8);
        lock.lock(); // a local file: a line takes microseconds
        try {
            file.write(line);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            lock.unlock();
        }
    }

    /** The complete lines, as words. */
    static List<String[]> read(Path path) {
        try {
            String text = Files.readString(path);
            return text.substring(0, text.lastIndexOf('\n') + 1).lines().map(line -> line.split(" ")).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns when the parent process is gone, or has closed the pipe to this process. */
    static void awaitParent() throws IOException {
        while (System.in.read() >= 0) {
            // input is ignored
        }
    }
}
