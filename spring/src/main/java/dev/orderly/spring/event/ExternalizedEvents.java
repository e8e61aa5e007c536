package dev.orderly.spring.event;

import dev.orderly.job.FifoQueue;
import dev.orderly.job.JobId;
import dev.orderly.job.JobQueue;
import dev.orderly.job.StandardQueue;
import dev.orderly.text.NearestName;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.expression.spel.support.StandardEvaluationContext;
import org.springframework.modulith.events.EventExternalizationConfiguration;
import org.springframework.modulith.events.EventExternalized;
import org.springframework.modulith.events.RoutingTarget;
import org.springframework.modulith.events.support.BrokerRouting;

/**
 * Pushes events into the queues that their configuration of externalization names: the target is the queue, the routing
 * key is the FIFO group, headers are params, and the header {@value #DEDUPE} is the dedupe id. Thread-safe.
 */
public final class ExternalizedEvents {
    static final String DEDUPE = "dedupe";

    private final EventExternalizationConfiguration configuration;
    private final ApplicationContext context;
    private final StandardEvaluationContext expressions = new StandardEvaluationContext();

    public ExternalizedEvents(EventExternalizationConfiguration configuration, ApplicationContext context) {
        this.configuration = configuration;
        this.context = context;
        BeanFactory beans = context;
        expressions.setBeanResolver(new BeanFactoryResolver(beans));
    }

    boolean supports(Object event) {
        return !(event instanceof EventExternalized) && configuration.supports(event);
    }

    /** Pushes an event, in the transaction of this thread if there is one that the store can be part of. */
    void push(Object event) {
        RoutingTarget target = configuration.determineTarget(event);
        Object payload = configuration.map(event);
        BrokerRouting routing = BrokerRouting.of(target, expressions);
        String name = routing.getTarget(payload);
        String group = target.getKey() == null ? null : routing.getKey(payload);
        JobQueue<Object> queue = queue(event.getClass(), name, group != null && !group.isBlank());
        Map<String, String> params = new LinkedHashMap<>();
        configuration.getHeadersFor(payload).forEach((header, value) -> params.put(header, String.valueOf(value)));
        JobId job = push(queue, group, params, payload);
        context.publishEvent(new EventExternalized<>(event, payload, target, job));
    }

    /** Without a dedupe id each event is a job: on a FIFO queue an equal one would otherwise count as the first. */
    private static JobId push(JobQueue<Object> queue, @Nullable String group, Map<String, String> params,
            Object payload) {
        String dedupe = params.remove(DEDUPE);
        return switch (queue) {
            case StandardQueue<Object> standard -> dedupe == null
                    ? standard.params(params).push(payload)
                    : standard.params(params).dedupe(dedupe).push(payload);
            case FifoQueue<Object> fifo -> fifo.group(String.valueOf(group)).params(params)
                    .dedupe(dedupe == null ? UUID.randomUUID().toString() : dedupe).push(payload);
        };
    }

    /**
     * The queue of a target.
     *
     * @throws IllegalStateException if there is none, or if its kind does not fit; the message has the remedy
     */
    JobQueue<Object> queue(Class<?> event, String name, boolean hasKey) {
        Map<String, JobQueue<Object>> known = known();
        JobQueue<Object> queue = known.get(name);
        String where = "Event " + event.getName() + " is externalized to " + name;
        if (queue == null) {
            throw new IllegalStateException(where + ", and no such queue is declared: " + NearestName.of(name, known
                    .keySet()).map(near -> "did you mean " + near + "?")
                    .orElse("write @Externalized(\"QUEUE\") with one"
                            + " of " + known.keySet() + ", or a method with @JobHandler(\"" + name + "\").")
                    + " If another part of the application sends it, set orderly.events.externalize: false");
        }
        if (queue.name().isFifo() && !hasKey) {
            throw new IllegalStateException(where + ", a FIFO queue, without a routing key, which is the group of the"
                    + " job: write @Externalized(\"" + name + "::#{#this.orderId()}\") with the property that needs"
                    + " order, and let it have a value");
        }
        if (!queue.name().isFifo() && hasKey) {
            throw new IllegalStateException(where + ", a standard queue, with a routing key, which only the groups of a"
                    + " FIFO queue can be: remove it, or end the name of the queue in .fifo");
        }
        return queue;
    }

    @SuppressWarnings("unchecked") // payloads are written as what they are, and read as the type of the queue
    private Map<String, JobQueue<Object>> known() {
        Map<String, JobQueue<Object>> known = new TreeMap<>();
        context.getBeansOfType(JobQueue.class).values().forEach(queue -> known.put(queue.name().value(), queue));
        return known;
    }
}
