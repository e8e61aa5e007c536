package dev.orderly.job.engine;

import dev.orderly.job.OnDead;
import dev.orderly.job.QueueName;
import dev.orderly.job.QueueOptions;

/** The options that a kind of queue does not have, with the error for each. */
final class QueueKindRules {
    private QueueKindRules() {}

    /**
     * @throws IllegalArgumentException if dead letters of a standard queue halt groups, if a FIFO queue has a key, or
     *     bounds the concurrency or share of its groups, or if a standard queue without a key bounds each key
     */
    static void check(QueueName queue, QueueOptions options) {
        if (!queue.isFifo() && options.onDead() == OnDead.HALT) {
            throw new IllegalArgumentException("Queue " + queue + " is a standard queue, which has no groups to halt:"
                    + " leave onDead out, or use a queue whose name ends in .fifo");
        }
        if (queue.isFifo() && options.key().isPresent()) {
            throw new IllegalArgumentException("Queue " + queue
                    + " is FIFO and has a key: its group is its key, by which per-key counts; leave the key out, or"
                    + " use a queue whose name does not end in .fifo");
        }
        if (queue.isFifo() && options.perKey().filter(each -> each.concurrency() > 1).isPresent()) {
            throw new IllegalArgumentException("Queue " + queue + " is FIFO and lets "
                    + options.perKey().get().concurrency() + " jobs of each group run at once, but one runs, so that"
                    + " its jobs stay in order; leave the concurrency of per-key out, or use a queue whose name does"
                    + " not end in .fifo");
        }
        if (queue.isFifo() && options.perKey().filter(each -> each.share() > 0).isPresent()) {
            throw new IllegalArgumentException("Queue " + queue + " is FIFO and has a share of each group, of which one"
                    + " job runs at a time; leave the share out, or use a queue whose name does not end in .fifo");
        }
        if (!queue.isFifo() && options.key().isEmpty()
                && (options.perKey().isPresent() || options.keyMaxPending().isPresent())) {
            throw new IllegalArgumentException("Queue " + queue + " bounds each key, and has no key: give it a key, or"
                    + " the bound to the queue");
        }
    }
}
