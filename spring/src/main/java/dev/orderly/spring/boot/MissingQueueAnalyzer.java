package dev.orderly.spring.boot;

import dev.orderly.job.FifoQueue;
import dev.orderly.job.JobQueue;
import dev.orderly.job.StandardQueue;
import dev.orderly.spring.queue.QueueBeans;
import dev.orderly.text.NearestName;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.InjectionPoint;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.UnsatisfiedDependencyException;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.analyzer.AbstractInjectionFailureAnalyzer;
import org.springframework.core.Ordered;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.Order;

/** Explains that a queue is to be injected that nothing declares. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class MissingQueueAnalyzer extends AbstractInjectionFailureAnalyzer<NoSuchBeanDefinitionException> {
    private final BeanFactory beans;

    MissingQueueAnalyzer(BeanFactory beans) {
        this.beans = beans;
    }

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, NoSuchBeanDefinitionException cause,
            @Nullable String description) {
        ResolvableType type = cause.getResolvableType();
        Class<?> raw = type == null ? null : type.resolve();
        if (cause.getNumberOfBeansFound() > 0
                || (raw != StandardQueue.class && raw != FifoQueue.class && raw != JobQueue.class)) {
            return null;
        }
        Set<String> known = known();
        String name = qualifier(rootFailure);
        String wanted = simple(type) + (name == null ? "" : " called " + name);
        String near = name == null ? null : NearestName.of(name, known).orElse(null);
        return new FailureAnalysis((description == null ? "A bean" : description) + " required a " + wanted
                + ", and no such queue is declared. Declared are: " + known,
                (near == null
                        ? ""
                        : near.equals(name)
                                ? "Queue " + name
                                        + " has another type of payload or is of the other kind: correct the type. "
                                : "Did you mean " + near + "? ")
                        + "Otherwise declare the queue: by a method with @JobHandler(\""
                        + (name == null ? "NAME" : name) + "\") that takes the payload, or, in an application that only"
                        + " pushes, by a bean: @Bean " + simple(type) + " " + "queue(Orderly orderly) { return orderly."
                        + (raw == FifoQueue.class ? "fifo" : "queue") + "(\"" + (name == null ? "NAME" : name)
                        + "\", Payload.class); }",
                rootFailure);
    }

    /** By the definitions, since no bean is left after the failure. */
    private Set<String> known() {
        Set<String> names = new TreeSet<>();
        if (beans instanceof ListableBeanFactory all) {
            for (String name : all.getBeanNamesForType(JobQueue.class, true, false)) {
                names.add(name.startsWith(QueueBeans.PREFIX) ? name.substring(QueueBeans.PREFIX.length()) : name);
            }
        }
        return names;
    }

    private static String simple(@Nullable ResolvableType type) {
        return type == null ? "JobQueue" : type.toString().replaceAll("\\b[a-z_0-9]+\\.", "");
    }

    private static @Nullable String qualifier(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof UnsatisfiedDependencyException unsatisfied) {
                InjectionPoint point = unsatisfied.getInjectionPoint();
                Qualifier qualifier = point == null ? null : point.getAnnotation(Qualifier.class);
                if (qualifier != null) {
                    return qualifier.value();
                }
            }
        }
        return null;
    }
}
