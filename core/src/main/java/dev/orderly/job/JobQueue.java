package dev.orderly.job;

/** A declared queue of either kind: what a handler is attached to. */
public sealed interface JobQueue<T> permits StandardQueue, FifoQueue {
    QueueName name();
}
