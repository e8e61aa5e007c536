package dev.orderly.spring.handler;

import dev.orderly.Internal;
import dev.orderly.Orderly;
import dev.orderly.job.Handler;
import dev.orderly.job.JobQueue;
import dev.orderly.job.QueueName;
import dev.orderly.job.QueueOptions;
import dev.orderly.job.StandardQueue;
import dev.orderly.spring.StartRefusedException;
import dev.orderly.spring.config.OrderlyProperties;
import dev.orderly.spring.config.PropertyProblems;
import dev.orderly.spring.config.QueueProperties;
import dev.orderly.spring.config.RoomProperties;
import dev.orderly.text.NearestName;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.env.Environment;

/**
 * Attaches the handler methods to their queues once all beans exist, and puts the options of attributes and properties
 * in force. Refuses properties that name a queue that nothing declares.
 */
@Internal(to = "dev.orderly")
public final class HandlerRegistrar implements SmartInitializingSingleton {
    private static final Logger LOG = LoggerFactory.getLogger(HandlerRegistrar.class);

    private final ConfigurableListableBeanFactory beans;
    private final Orderly orderly;
    private final OrderlyProperties properties;
    private final HandlerMethods methods;
    private final Extensions extensions;

    /**
     * What other parts add: further queues, and what may be around a handler.
     *
     * @param decorators the outermost first
     */
    public record Extensions(List<QueueDeclaration> declarations, List<HandlerDecorator> decorators,
            @Nullable TransactionalHandlers transactions) {
        /** The beans of an application. */
        public static Extensions of(BeanFactory beans) {
            return new Extensions(beans.getBeanProvider(QueueDeclaration.class).orderedStream().toList(),
                    beans.getBeanProvider(HandlerDecorator.class).orderedStream().toList(),
                    beans.getBeanProvider(TransactionalHandlers.class).getIfAvailable());
        }
    }

    public HandlerRegistrar(ConfigurableListableBeanFactory beans, Orderly orderly, OrderlyProperties properties,
            HandlerMethods methods, Extensions extensions) {
        this.beans = beans;
        this.orderly = orderly;
        this.properties = properties;
        this.methods = methods;
        this.extensions = extensions;
    }

    @Override
    public void afterSingletonsInstantiated() {
        extensions.declarations.forEach(QueueDeclaration::declareQueues);
        Set<String> known = new TreeSet<>();
        beans.getBeansOfType(JobQueue.class) // creates the lazy ones too
                .forEach((_, queue) -> known.add(queue.name().value()));
        Map<QueueName, HandlerMethod> found = methods.find();
        PropertyProblems problems = new PropertyProblems();
        if (!properties.getEvents().adopt()) {
            problems.checkLeft("orderly.events", "@ApplicationModuleListener", properties.getEvents().leave(), false,
                    Set.of());
        }
        QueueProperties settings = new QueueProperties(problems,
                beans.getBean(Environment.class)::resolveRequiredPlaceholders);
        for (HandlerMethod method : found.values()) {
            known.add(method.queue().value());
            declare(method, settings);
        }
        properties.getQueues().forEach((name, given) -> problems.check("orderly.queues", () -> {
            change(new QueueName(name), settings, given, problems, known);
            return true;
        }, false));
        properties.getRooms().forEach((name, room) -> {
            RoomProperties.Backlog backlog = room.backlog();
            if (backlog != null && backlog.queue() != null) {
                checkDeclared("orderly.rooms." + name + ".backlog.queue", backlog.queue(), problems, known);
            }
        });
        problems.refuse();
        if (properties.getHandlers().enabled()) {
            found.values().forEach(this::attach);
            warnOfSeparateCommits(found.values());
        }
    }

    /** Says which handlers commit their work before their jobs are completed, where both could be one transaction. */
    private void warnOfSeparateCommits(Collection<HandlerMethod> found) {
        List<String> separate = found.stream()
                .filter(method -> !method.annotation().inTransaction() && method.isTransactional())
                .map(HandlerMethod::where).sorted().toList();
        if (extensions.transactions != null && extensions.transactions.isPossible() && !separate.isEmpty()) {
            LOG.warn("{}: @Transactional commits before the job is completed, so a crash between both runs the job"
                    + " again. With @JobHandler(inTransaction = true) in its place both are one transaction",
                    String.join(", ", separate));
        }
    }

    /** Declares the queue of a method, unless a bean has, with the attributes of the method. */
    private void declare(HandlerMethod method, QueueProperties settings) {
        QueueName queue = method.queue();
        JobQueue<?> declared = method.declare(orderly);
        QueueOptions before = orderly.jobs().options(declared.name()).orElseThrow();
        orderly.engines().jobs().change(queue,
                settings.withAttributes(queue, before, method.annotation(), method.where()));
    }

    private void change(QueueName name, QueueProperties settings, OrderlyProperties.Queue given,
            PropertyProblems problems,
            Set<String> known) {
        Optional<QueueOptions> before = orderly.jobs().options(name);
        if (before.isEmpty()) {
            problems.add(QueueProperties.key(name), undeclared(name, known));
        } else {
            orderly.engines().jobs().change(name, settings.withProperties(name, before.get(), given));
        }
    }

    private void checkDeclared(String key, String queue, PropertyProblems problems, Set<String> known) {
        problems.<@Nullable QueueOptions>check(key, () -> {
            QueueName name = new QueueName(queue);
            return orderly.jobs().options(name).orElseThrow(
                    () -> new IllegalArgumentException(undeclared(name, known)));
        }, null);
    }

    private static String undeclared(QueueName name, Set<String> known) {
        return "No such queue is declared: " + NearestName.of(name.value(), known)
                .map(near -> "did you mean " + near + "?")
                .orElse("write a @JobHandler(\"" + name + "\") or a bean of the queue; known here: " + known);
    }

    private void attach(HandlerMethod method) {
        HandlerInvocation call = new HandlerInvocation(beans, method);
        if (beans.containsSingleton(method.beanName())) {
            call.resolve();
        }
        JobQueue<Object> queue = opaque(method.declare(orderly));
        if (method.annotation().batch() != 0) {
            attachSeveral((StandardQueue<Object>) queue, method, call);
            return;
        }
        Handler<Object> handler = call;
        if (method.annotation().inTransaction()) {
            TransactionalHandlers transactions = extensions.transactions;
            if (transactions == null) {
                throw new StartRefusedException(method.where() + " has inTransaction = true, and the store shares no"
                        + " transaction with this application",
                        "Keep the jobs in the PostgreSQL database of"
                                + " spring.datasource (orderly.store: datasource), or remove inTransaction.");
            }
            handler = transactions.inTransaction(method, handler);
        }
        for (HandlerDecorator decorator : extensions.decorators.reversed()) {
            handler = decorator.decorate(method, handler);
        }
        orderly.<Object>handle(queue, handler);
    }

    private void attachSeveral(StandardQueue<Object> queue, HandlerMethod method, HandlerInvocation call) {
        try {
            orderly.handleBatch(queue, method.annotation().batch(), call::handleSeveral);
        } catch (IllegalArgumentException e) {
            throw new StartRefusedException(method.where() + ": " + e.getMessage(),
                    "Correct the attribute batch and start again.");
        }
    }

    @SuppressWarnings("unchecked") // payloads are read as the type of the method's parameter
    private static JobQueue<Object> opaque(JobQueue<?> queue) {
        return (JobQueue<Object>) queue;
    }
}
