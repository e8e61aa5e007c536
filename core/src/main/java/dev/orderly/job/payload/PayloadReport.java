package dev.orderly.job.payload;

import dev.orderly.job.JobId;
import dev.orderly.job.QueueName;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a check of payloads found.
 *
 * @param queues what was read of each queue
 * @param unreadable the payloads that the present version cannot read, at most {@value #LISTED_MAX}
 */
public record PayloadReport(List<Covered> queues, List<Unreadable> unreadable) {
    /** The largest number of listed payloads. */
    public static final int LISTED_MAX = 1_000;
    private static final int NAMED_MAX = 20;

    public PayloadReport {
        queues = List.copyOf(queues);
        unreadable = List.copyOf(unreadable);
    }

    /**
     * The part of a queue that was read.
     *
     * @param whole whether no further payload of the queue waits
     */
    public record Covered(QueueName queue, int read, int unreadable, boolean whole) {
        public Covered {
            Objects.requireNonNull(queue, "queue");
        }
    }

    /**
     * A payload that cannot be read.
     *
     * @param job null for a sample
     * @param line line of the file of samples; 0 for a job
     */
    public record Unreadable(QueueName queue, @Nullable JobId job, int line, String reason) {
        public Unreadable {
            Objects.requireNonNull(queue, "queue");
            Objects.requireNonNull(reason, "reason");
        }
    }

    public boolean isReadable() {
        return unreadable.isEmpty();
    }

    /** Whether all payloads were read, and not only the oldest of each queue. */
    public boolean isWhole() {
        return queues.stream().allMatch(Covered::whole);
    }

    /**
     * Fails if a payload cannot be read.
     *
     * @throws IllegalStateException with the first of them, their reasons and the remedy
     */
    public PayloadReport orThrow() {
        if (!isReadable()) {
            throw new IllegalStateException(this + "\nAdd a default, a rename or an upcaster where the queue is"
                    + " declared, or keep the version that reads them running until they are done");
        }
        return this;
    }

    /** What was covered, and what cannot be read, for people. */
    @Override
    public String toString() {
        List<String> lines = new ArrayList<>();
        for (Covered queue : queues) {
            lines.add(queue.queue + ": " + queue.read + " payloads read, "
                    + (queue.whole ? "all of them" : "the oldest; more wait") + "; " + queue.unreadable
                    + " cannot be read");
        }
        unreadable.stream().limit(NAMED_MAX).forEach(each -> lines.add(
                each.queue + ", " + (each.job == null ? "line " + each.line : "job " + each.job) + ": " + each.reason));
        return String.join("\n", lines);
    }
}
