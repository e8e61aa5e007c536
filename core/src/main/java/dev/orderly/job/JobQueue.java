package dev.orderly.job;

/** A declared queue, standard or FIFO, to which a handler is attached. */
public sealed interface JobQueue<T> permits StandardQueue, FifoQueue {
    QueueName name();
}
