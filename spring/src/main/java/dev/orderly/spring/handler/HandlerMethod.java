package dev.orderly.spring.handler;

import dev.orderly.Orderly;
import dev.orderly.job.JobQueue;
import dev.orderly.job.QueueName;
import dev.orderly.job.QueueOptions;
import dev.orderly.spring.JobHandler;
import dev.orderly.spring.StartRefusedException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.core.annotation.MergedAnnotations;

/**
 * A method of a bean that handles the jobs of a queue.
 *
 * @param beanName the bean, which may not be created yet
 * @param method as the class of the bean declares it, not its proxy
 * @param queue the queue, with placeholders replaced
 * @param arguments what the method is called with
 */
public record HandlerMethod(String beanName, Method method, JobHandler annotation, QueueName queue,
        HandlerArguments arguments) {
    /** By name, since an application need not have them. */
    private static final List<String> TRANSACTIONAL = List.of(
            "org.springframework.transaction.annotation.Transactional", "jakarta.transaction.Transactional");

    /** Class and method, for messages. */
    public String where() {
        return "@JobHandler " + method.getDeclaringClass().getSimpleName() + "." + method.getName();
    }

    /**
     * Declares the queue of this method with its type of payload, and with the options of an earlier declaration or the
     * defaults.
     *
     * @throws StartRefusedException if the queue is declared with another type of payload
     */
    public JobQueue<?> declare(Orderly orderly) {
        QueueOptions options = orderly.jobs().options(queue).orElseGet(() -> QueueOptions.defaultsFor(queue));
        try {
            return queue.isFifo()
                    ? orderly.engines().jobs().fifo(queue.value(), arguments.payload(), options)
                    : orderly.engines().jobs().queue(queue.value(), arguments.payload(), options);
        } catch (IllegalStateException e) {
            throw new StartRefusedException(where() + ": " + e.getMessage(),
                    "Give the handler's parameter and the bean of the queue the same type.");
        }
    }

    /** Whether a proxy of Spring runs the method in a transaction of its own. */
    boolean isTransactional() {
        return Stream.of(method, method.getDeclaringClass())
                .map(element -> MergedAnnotations.from(element, MergedAnnotations.SearchStrategy.TYPE_HIERARCHY))
                .anyMatch(annotations -> TRANSACTIONAL.stream().anyMatch(annotations::isPresent));
    }

    /** A method without the bean that has it. */
    record Found(Method method, JobHandler annotation) {}
}
