package dev.orderly.bench.contender;

import dev.orderly.job.Payload;
import dev.orderly.job.Priority;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.NewJob;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Unique jobs of 200 bytes. */
public final class BenchJobs {
    /** The queue of the measured jobs. */
    public static final QueueName STANDARD = new QueueName("bench");
    /** The queue of the measured groups. */
    public static final QueueName FIFO = new QueueName("bench.fifo");
    private static final String FILLING = "x".repeat(170);

    private final AtomicLong unique = new AtomicLong();

    NewJob standard() {
        return job(STANDARD, null);
    }

    /** Jobs without a group. */
    public List<NewJob> standard(int count) {
        List<NewJob> jobs = new ArrayList<>(count);
        for (int n = 0; n < count; n++) {
            jobs.add(standard());
        }
        return jobs;
    }

    /** One job of each of these groups. */
    public List<NewJob> fifo(int from, int to) {
        List<NewJob> jobs = new ArrayList<>(to - from);
        for (int n = from; n < to; n++) {
            jobs.add(job(FIFO, "group " + n));
        }
        return jobs;
    }

    /** A unique payload. */
    public String text() {
        return "{\"n\":%012d,\"t\":\"%s\"}".formatted(unique.incrementAndGet(), FILLING);
    }

    /** Unique payloads. */
    public List<String> texts(int count) {
        List<String> texts = new ArrayList<>(count);
        for (int n = 0; n < count; n++) {
            texts.add(text());
        }
        return texts;
    }

    private NewJob job(QueueName queue, @Nullable String group) {
        return new NewJob(queue, group, Priority.NORMAL, null, Payload.text(text()), Map.of(), null, null, null);
    }
}
