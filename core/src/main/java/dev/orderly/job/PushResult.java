package dev.orderly.job;

import java.util.Objects;

/** The result of a push. In every case {@link #id()} names a stored job: the new job or the earlier job. */
public sealed interface PushResult {
    JobId id();

    /**
     * The job is stored and durable.
     *
     * @param handedOff whether the pushing node has claimed the job with the push, so that it starts at once
     */
    record Accepted(JobId id, boolean handedOff) implements PushResult {
        public Accepted {
            Objects.requireNonNull(id, "id");
        }

        /** A job that waits for its claim. */
        public Accepted(JobId id) {
            this(Objects.requireNonNull(id, "id"), false);
        }
    }

    /** The push repeats an earlier push within the dedupe or idempotency window; nothing was stored. */
    record Duplicate(JobId id) implements PushResult {
        public Duplicate {
            Objects.requireNonNull(id, "id");
        }
    }

    /**
     * A job of the debounce key of the push waits: payload, params and terms of the push have replaced those of the
     * push before, and the job is put off until the quiet time of the push is over. Durable.
     */
    record Replaced(JobId id) implements PushResult {
        public Replaced {
            Objects.requireNonNull(id, "id");
        }
    }

    /** The job that waits under the debounce key belongs to another user. Nothing was changed. */
    record DebounceReused(JobId id) implements PushResult {
        public DebounceReused {
            Objects.requireNonNull(id, "id");
        }
    }

    /**
     * The dedupe id stands for another job within its window, with another payload, content type, other params or
     * another user. Nothing was stored.
     */
    record DedupeReused(JobId id) implements PushResult {
        public DedupeReused {
            Objects.requireNonNull(id, "id");
        }
    }

    /** The idempotency key was used before with a different request; nothing was stored. */
    record KeyReused(JobId id) implements PushResult {
        public KeyReused {
            Objects.requireNonNull(id, "id");
        }
    }
}
