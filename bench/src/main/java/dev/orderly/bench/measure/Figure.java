package dev.orderly.bench.measure;

import java.util.Comparator;
import java.util.Locale;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * The result of a run.
 *
 * @param perSecond jobs a second
 * @param client processor seconds of the measured process per 1,000 jobs
 * @param server the same of PostgreSQL; 0 if unknown
 */
public record Figure(double perSecond, double client, double server, Memory memory, Millis latency) {
    /** Slowest first. */
    public static final Comparator<Figure> BY_RATE = Comparator.comparingDouble(Figure::perSecond);

    /**
     * MiB of memory.
     *
     * @param client peak of the measured process during the run (RSS)
     * @param server memory of all PostgreSQL processes that is not shared, at the end of the run; 0 if unknown
     */
    public record Memory(double client, double server) {}

    /** Latencies in milliseconds; all 0 where a run has none. */
    public record Millis(double median, double p99, double most) {
        public static final Millis NONE = new Millis(0, 0, 0);
    }

    /** The same with latencies. */
    public Figure with(Millis latencies) {
        return new Figure(perSecond, client, server, memory, latencies);
    }

    /** Processor seconds per 1,000 jobs, of the measured process and of PostgreSQL. */
    public double cpu() {
        return client + server;
    }

    /** One line from which {@link #parse} makes an equal figure. */
    public String line() {
        StringBuilder line = new StringBuilder();
        DoubleStream
                .of(perSecond, client, server, memory.client, memory.server, latency.median, latency.p99, latency.most)
                .forEach(value -> line.append(String.format(Locale.ROOT, "%.6f ", value)));
        return line.toString().strip();
    }

    /** The inverse of {@link #line()}. */
    public static Figure parse(String line) {
        double[] of = Stream.of(line.split(" ", -1)).mapToDouble(Double::parseDouble).toArray();
        return new Figure(of[0], of[1], of[2], new Memory(of[3], of[4]), new Millis(of[5], of[6], of[7]));
    }
}
