package dev.orderly.bench.postgres;

import dev.orderly.bench.contender.BenchJobs;
import dev.orderly.bench.contender.OrderlyJobs;
import dev.orderly.job.Priority;
import dev.orderly.job.Push;
import dev.orderly.job.StandardQueue;
import java.util.function.Consumer;

/** Pending jobs beside the measured jobs. */
enum PendingLoad {
    NONE("empty"), ELSEWHERE("in another queue"), PAUSED("in a paused queue of this node"), LOWER(
            "of lower priority in the same queue");

    /** Prefix of the payloads of jobs that are not measured. */
    static final String MARK = "pending ";

    private static final String OTHER = "other";
    private static final int BULK = 5_000;

    private final String where;

    PendingLoad(String where) {
        this.where = where;
    }

    String title(int pending) {
        return this == NONE ? where : "%,d %s".formatted(pending, where);
    }

    /** Pushes the backlog. */
    void fill(OrderlyJobs ours, int pending, BenchJobs jobs) {
        if (this == NONE) {
            return;
        }
        StandardQueue<String> other = this == LOWER ? ours.queue() : ours.queue(OTHER);
        if (this == PAUSED) {
            ours.client().pause(other.name(), true);
            ours.worker().handle(other, (_, _) -> {});
        }
        Push<String> push = other.priority(Priority.LOW);
        for (int pushed = 0; pushed < pending; pushed += BULK) {
            push.pushAll(jobs.texts(BULK).stream().map(text -> MARK + text).toList());
        }
    }

    /** A handler that ignores jobs of the backlog. */
    static Consumer<String> but(Consumer<String> handler) {
        return payload -> {
            if (!payload.startsWith(MARK)) {
                handler.accept(payload);
            }
        };
    }
}
