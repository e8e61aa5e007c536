package dev.orderly.testkit.assertj;

import dev.orderly.job.Priority;
import dev.orderly.testkit.harness.PushedJob;
import java.time.Duration;
import java.util.List;

/** Pushed jobs as lines of a failure. */
final class PushedJobText {
    private static final int LISTED_MAX = 50;
    private static final int PAYLOAD_MAX = 500;

    private PushedJobText() {}

    /** A colon, the name of the list, and a numbered line for each job in the order of the pushes. */
    static String list(String name, List<PushedJob> jobs) {
        StringBuilder text = new StringBuilder("; ").append(name).append(':');
        if (jobs.isEmpty()) {
            return text.append(" nothing").toString();
        }
        for (int n = 0; n < Math.min(jobs.size(), LISTED_MAX); n++) {
            text.append("\n  ").append(n + 1).append(". ").append(line(jobs.get(n)));
        }
        return jobs.size() > LISTED_MAX
                ? text.append("\n  and ").append(jobs.size() - LISTED_MAX).append(" more").toString()
                : text.toString();
    }

    /** Queue, payload, and what differs from a plain push. */
    static String line(PushedJob job) {
        StringBuilder text = new StringBuilder(job.queue().value()).append(": ").append(payload(job.text()));
        if (job.group() != null) {
            text.append(", group ").append(job.group());
        }
        if (job.runAt() != null) {
            text.append(", delay ").append(Duration.between(job.pushedAt(), job.runAt()));
        }
        if (job.dedupe() != null && !job.queue().isFifo()) {
            text.append(", with a dedupe id"); // stored as a hash; on a FIFO queue each job has one, of its content
        }
        if (job.priority() != Priority.NORMAL) {
            text.append(", priority ").append(job.priority());
        }
        if (!job.params().isEmpty()) {
            text.append(", params ").append(job.params());
        }
        if (job.user() != null) {
            text.append(", user ").append(job.user());
        }
        return text.toString();
    }

    static String payload(String text) {
        return text.length() <= PAYLOAD_MAX ? text : text.substring(0, PAYLOAD_MAX) + "…";
    }
}
