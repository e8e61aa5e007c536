package dev.orderly.spring.queue;

import dev.orderly.job.FifoQueue;
import dev.orderly.job.QueueName;
import dev.orderly.job.StandardQueue;
import dev.orderly.spring.handler.HandlerMethod;
import dev.orderly.spring.handler.HandlerMethods;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.ResolvableType;

/**
 * Registers a bean for the queue of each handler method: a {@code StandardQueue<T>} or {@code FifoQueue<T>}, where
 * {@code T} is the type of the method's payload. Its qualifier is the name of the queue; its own name is that name in
 * camel case, unless the application has a bean of that name. The application's own bean of the same type wins.
 */
public final class QueueBeans implements BeanDefinitionRegistryPostProcessor {
    /** Begins the names of the beans; the name of the queue follows. */
    public static final String PREFIX = "orderly.queue.";

    private static final Pattern BREAK = Pattern.compile("[_.-]+(.?)");

    private final HandlerMethods methods;
    private final String factory;

    /** @param factory name of the bean of {@link HandledQueues} */
    public QueueBeans(HandlerMethods methods, String factory) {
        this.methods = methods;
        this.factory = factory;
    }

    @Override
    public void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry registry) {
        methods.find().values().forEach(method -> register(registry, method));
    }

    private void register(BeanDefinitionRegistry registry, HandlerMethod method) {
        QueueName queue = method.queue();
        String full = PREFIX + queue;
        if (registry.containsBeanDefinition(full)) { // registered at build time
            return;
        }
        RootBeanDefinition definition = new RootBeanDefinition();
        definition.setTargetType(ResolvableType.forClassWithGenerics(
                queue.isFifo() ? FifoQueue.class : StandardQueue.class,
                ResolvableType.forType(method.arguments().payload())));
        definition.setFactoryBeanName(factory);
        definition.setFactoryMethodName(queue.isFifo() ? "fifo" : "standard");
        definition.getConstructorArgumentValues().addIndexedArgumentValue(0, queue.value());
        definition.addQualifier(new AutowireCandidateQualifier(Qualifier.class, queue.value()));
        definition.setFallback(true);
        registry.registerBeanDefinition(full, definition);
        String simple = camelCase(queue);
        if (!registry.isBeanNameInUse(simple)) {
            registry.registerAlias(full, simple);
        }
    }

    /** {@code update_profile.fifo} is {@code updateProfile}. */
    static String camelCase(QueueName queue) {
        String name = queue.isFifo()
                ? queue.value().substring(0, queue.value().length() - ".fifo".length())
                : queue.value();
        return BREAK.matcher(name).replaceAll(found -> Matcher.quoteReplacement(found.group(1)
                .toUpperCase(Locale.ROOT)));
    }
}
