package dev.orderly.spring.event;

import dev.orderly.Orderly;
import dev.orderly.job.QueueName;
import dev.orderly.job.QueueOptions;
import dev.orderly.job.StandardQueue;
import dev.orderly.spring.config.OrderlyProperties;
import dev.orderly.spring.config.PropertyProblems;
import dev.orderly.spring.handler.QueueDeclaration;
import dev.orderly.spring.transaction.JoinedTransactions;
import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.support.AopUtils;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.EventListenerFactory;
import org.springframework.core.Ordered;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.modulith.events.ApplicationModuleListener;
import org.springframework.modulith.events.core.ConditionalEventListener;
import org.springframework.transaction.event.TransactionalApplicationListenerMethodAdapter;

/**
 * The methods with {@link ApplicationModuleListener} of all beans. Puts a listener that pushes a job in the place of
 * each, and attaches the method itself as the handler of these jobs. Spring asks for the listeners once all beans
 * exist, before other parts of Orderly declare their queues; from then on thread-safe.
 */
public final class AdoptedListeners implements EventListenerFactory, QueueDeclaration, Ordered {
    private static final Logger LOG = LoggerFactory.getLogger(AdoptedListeners.class);
    private static final String PREFIX = "event.";
    private static final String FIFO = ".fifo";
    private static final int NAME_MAX = 80 - PREFIX.length();

    private final ConfigurableApplicationContext context;
    private final Map<QueueName, AdoptedListener> adopted = new LinkedHashMap<>();
    private final Set<String> seen = new TreeSet<>();

    public AdoptedListeners(ConfigurableApplicationContext context) {
        this.context = context;
    }

    /** Before the factories of Spring Modulith (25) and of Spring (50). */
    @Override
    public int getOrder() {
        return 20;
    }

    @Override
    public boolean supportsMethod(Method method) {
        return AnnotatedElementUtils.hasAnnotation(method, ApplicationModuleListener.class)
                && !ConditionalEventListener.class.isAssignableFrom(method.getDeclaringClass());
    }

    @Override
    public ApplicationListener<?> createApplicationListener(String bean, Class<?> type, Method method) {
        TransactionalApplicationListenerMethodAdapter plain = new TransactionalApplicationListenerMethodAdapter(bean,
                type, method);
        String name = bean + "." + method.getName();
        seen.add(name);
        if (context.getBean(OrderlyProperties.class).getEvents().leave().contains(name)) {
            return plain;
        }
        try {
            return adopted(name, adopt(name, plain, bean, AopUtils.getMostSpecificMethod(method, type)), type, method);
        } catch (IllegalArgumentException e) {
            LOG.warn("@ApplicationModuleListener {} stays with Spring Modulith, without retries: {}. If that is right,"
                    + " list it in orderly.events.leave", name, e.getMessage());
            return plain;
        }
    }

    private AdoptedListener adopt(String name, TransactionalApplicationListenerMethodAdapter plain, String bean,
            Method method) {
        if (method.getReturnType() != void.class) {
            throw new IllegalArgumentException("it returns a value, which would be another event or the end of its work"
                    + " elsewhere: return nothing, and publish events by an ApplicationEventPublisher");
        }
        EventTypes events = EventTypes.of(ResolvableType.forMethodParameter(method, 0));
        String id = Objects.requireNonNull(AnnotatedElementUtils.findMergedAnnotation(method,
                ApplicationModuleListener.class)).id();
        QueueName queue = queue(id.isEmpty() ? name + "." + method.getParameterTypes()[0].getSimpleName() : id);
        AdoptedListener other = adopted.get(queue);
        if (other != null) {
            throw new IllegalArgumentException("its queue " + queue + " is that of " + other.name()
                    + ": give one of them another id, as in @ApplicationModuleListener(id = ...)");
        }
        Orderly orderly = context.getBean(Orderly.class);
        StandardQueue<Object> jobs = orderly.engines().jobs().queue(queue.value(), events.payload(),
                orderly.jobs().options(queue)
                        .orElseGet(() -> QueueOptions.defaultsFor(queue)));
        AdoptedListener listener = new AdoptedListener(name, plain.getListenerId(), bean, method, events, jobs,
                new ListenerInvocation(context, bean, method, transactions()));
        adopted.put(queue, listener);
        return listener;
    }

    private @Nullable JoinedTransactions transactions() {
        return context.getBeanProvider(JoinedTransactions.class).getIfAvailable();
    }

    /** The listener that Spring calls in the place of the method. */
    private ApplicationListener<?> adopted(String name, AdoptedListener listener, Class<?> type, Method method) {
        LOG.info("@ApplicationModuleListener {} runs as jobs of queue {}", name, listener.queue().name());
        Publications publications = new Publications(context);
        JoinedTransactions transactions = transactions();
        if (transactions == null || !transactions.canJoin()) {
            return new ListenerAfterCommit(listener, type, method, publications);
        }
        context.addApplicationListener(new ResubmittedPublications(listener, publications));
        return new ListenerInTransaction(listener, type, method);
    }

    /** Attaches the handlers; the queues are declared already, so that events before this are jobs too. */
    @Override
    public void declareQueues() {
        OrderlyProperties properties = context.getBean(OrderlyProperties.class);
        PropertyProblems problems = new PropertyProblems();
        problems.checkLeft("orderly.events", "@ApplicationModuleListener", properties.getEvents().leave(), true, seen);
        problems.refuse();
        if (properties.getHandlers().enabled()) {
            Orderly orderly = context.getBean(Orderly.class);
            adopted.values().forEach(listener -> orderly.handle(listener.queue(), listener.handler()));
        }
    }

    /** The first adopted listener of this name. */
    AdoptedListener adopted(String name) {
        return adopted.values().stream().filter(listener -> listener.name().equals(name)).findFirst().orElseThrow();
    }

    private static QueueName queue(String name) {
        String valid = name.replaceAll("[^A-Za-z0-9_.-]", "-");
        String whole = PREFIX + valid.substring(Math.max(0, valid.length() - NAME_MAX));
        return new QueueName(whole.endsWith(FIFO) ? whole.replace(FIFO, "-fifo") : whole);
    }
}
