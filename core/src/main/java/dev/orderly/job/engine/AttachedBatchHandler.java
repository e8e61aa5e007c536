package dev.orderly.job.engine;

import dev.orderly.job.BatchHandler;
import dev.orderly.job.BatchedJob;
import dev.orderly.job.Handler;
import dev.orderly.job.Job;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A handler of several jobs as the handler of a queue, which it is called as with a single job.
 *
 * @param most jobs of one call
 */
record AttachedBatchHandler(BatchHandler<Object> batch, int most) implements Handler<Object> {
    AttachedBatchHandler {
        Objects.requireNonNull(batch, "handler");
        if (most < 1 || most > BatchHandler.JOBS_MAX) {
            throw new IllegalArgumentException(
                    "A call cannot have at most " + most + " jobs: use 1 to " + BatchHandler.JOBS_MAX);
        }
    }

    /** A job of one call, with what the handler said of it. */
    static final class Called implements BatchedJob<Object> {
        private final Object payload;
        private final Job<Object> job;
        private volatile boolean done;
        private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

        Called(Object payload, Job<Object> job) {
            this.payload = payload;
            this.job = job;
        }

        @Override
        public Object payload() {
            return payload;
        }

        @Override
        public Job<Object> job() {
            return job;
        }

        @Override
        public void done() {
            done = true;
        }

        @Override
        public void fail(Throwable why) {
            failure.compareAndSet(null, Objects.requireNonNull(why, "why"));
        }

        /**
         * What the handler threw as far as this job is concerned; null for nothing.
         *
         * @param byCall what the whole call threw
         */
        @Nullable
        Throwable thrown(@Nullable Throwable byCall) {
            Throwable own = failure.get();
            return own != null || done ? own : byCall;
        }
    }

    @Override
    public void handle(Object payload, Job<Object> job) throws Exception {
        Called called = new Called(payload, job);
        Throwable byCall = null;
        try {
            batch.handle(List.of(called));
        } catch (Throwable e) { // the job may be done already
            byCall = e;
        }
        switch (called.thrown(byCall)) {
            case null -> {
            }
            case Exception e -> throw e;
            case Error e -> throw e;
            case Throwable e -> throw new IllegalStateException(e);
        }
    }
}
