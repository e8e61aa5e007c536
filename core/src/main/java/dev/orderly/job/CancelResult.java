package dev.orderly.job;

/**
 * The result of a request to cancel a job. The request is durable, whichever result it has: a job that was asked to be
 * cancelled ends as done if its handler completes it all the same, else as cancelled, and never runs again.
 */
public enum CancelResult {
    /**
     * The handler will not be called, or not again: the job was waiting, delayed or dead, or this node held it and had
     * not begun it. In the last case the job is shown as running until its turn has come.
     */
    CANCELLED,
    /** The handler has begun on this node; its signal is raised. */
    SIGNALLED,
    /**
     * Another node or a worker elsewhere holds the job, so that it is not known here whether its handler has begun. A
     * node learns of the request by a message, or with its next heartbeat if that is lost, a worker with its next
     * report.
     */
    REQUESTED,
    /** The job had ended before. */
    ENDED,
    /** The store has no such job, or keeps it no longer. */
    UNKNOWN
}
