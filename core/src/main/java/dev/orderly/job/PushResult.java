package dev.orderly.job;

/** How a push ended. Whatever the case, {@link #id()} is the job that stands for it. */
public sealed interface PushResult {
    JobId id();

    /** Stored, durable, numbered. */
    record Accepted(JobId id) implements PushResult {}

    /** The same as an earlier push inside its window; nothing was stored. */
    record Duplicate(JobId id) implements PushResult {}

    /** The idempotency key was used before for another request; nothing was stored. */
    record KeyReused(JobId id) implements PushResult {}
}
