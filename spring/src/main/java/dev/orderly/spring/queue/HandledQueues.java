package dev.orderly.spring.queue;

import dev.orderly.Orderly;
import dev.orderly.job.FifoQueue;
import dev.orderly.job.JobQueue;
import dev.orderly.job.QueueName;
import dev.orderly.job.StandardQueue;
import dev.orderly.spring.handler.HandlerMethod;
import dev.orderly.spring.handler.HandlerMethods;
import java.util.Map;

/** The factory of the beans that {@link QueueBeans} registers. Thread-safe. */
public final class HandledQueues {
    private final Orderly orderly;
    private final Map<QueueName, HandlerMethod> methods;

    public HandledQueues(Orderly orderly, HandlerMethods methods) {
        this.orderly = orderly;
        this.methods = methods.find();
    }

    public StandardQueue<?> standard(String name) {
        return (StandardQueue<?>) queue(name);
    }

    public FifoQueue<?> fifo(String name) {
        return (FifoQueue<?>) queue(name);
    }

    private JobQueue<?> queue(String name) {
        HandlerMethod method = methods.get(new QueueName(name));
        if (method == null) {
            throw new IllegalStateException("Queue " + name + " has lost its handler: build the application again");
        }
        return method.declare(orderly);
    }
}
