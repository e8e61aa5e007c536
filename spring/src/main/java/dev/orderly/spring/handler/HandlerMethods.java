package dev.orderly.spring.handler;

import dev.orderly.Internal;
import dev.orderly.job.QueueName;
import dev.orderly.spring.JobHandler;
import dev.orderly.spring.StartRefusedException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.env.Environment;
import org.springframework.util.ReflectionUtils;

/**
 * The methods with {@link JobHandler} of all beans, by queue. Looks at the types of beans and creates none.
 * Thread-safe.
 */
@Internal(to = "dev.orderly")
public final class HandlerMethods {
    private final ConfigurableListableBeanFactory beans;
    private final Environment environment;
    private final ConcurrentMap<Class<?>, List<HandlerMethod.Found>> byType = new ConcurrentHashMap<>();

    public HandlerMethods(ConfigurableListableBeanFactory beans, Environment environment) {
        this.beans = beans;
        this.environment = environment;
    }

    /**
     * The methods as the types of beans are known now. A method that only the class of an existing bean has, and not
     * the type that its definition promises, is found once the bean exists.
     *
     * @throws StartRefusedException if a method cannot be called, or two have the same queue
     */
    public Map<QueueName, HandlerMethod> find() {
        Map<QueueName, HandlerMethod> all = new LinkedHashMap<>();
        for (String name : beans.getBeanDefinitionNames()) {
            Class<?> type = ScopedProxyUtils.isScopedTarget(name) ? null : type(name);
            if (type == null) {
                continue;
            }
            for (HandlerMethod.Found found : byType.computeIfAbsent(type, HandlerMethods::annotated)) {
                HandlerMethod method = checked(name, type, found);
                HandlerMethod before = all.putIfAbsent(method.queue(), method);
                if (before != null) {
                    throw new StartRefusedException("Queue " + method.queue() + " has two handlers: " + before.where()
                            + " of bean " + before.beanName() + ", and " + method.where() + " of bean " + name,
                            "Keep one of them, or give the other a queue of its own.");
                }
            }
        }
        return all;
    }

    private @Nullable Class<?> type(String bean) {
        if (beans.getBeanDefinition(bean).isAbstract()) {
            return null;
        }
        Class<?> type = AutoProxyUtils.determineTargetClass(beans, bean);
        return type == null || type.getName().startsWith("org.springframework.")
                || !AnnotationUtils.isCandidateClass(type, JobHandler.class) ? null : type;
    }

    private static List<HandlerMethod.Found> annotated(Class<?> type) {
        List<HandlerMethod.Found> found = new ArrayList<>();
        ReflectionUtils.MethodFilter filter = method -> AnnotatedElementUtils.hasAnnotation(method,
                JobHandler.class);
        for (Method method : MethodIntrospector.selectMethods(type, filter)) {
            found.add(new HandlerMethod.Found(method, Objects.requireNonNull(AnnotatedElementUtils
                    .findMergedAnnotation(method, JobHandler.class))));
        }
        return found;
    }

    private HandlerMethod checked(String bean, Class<?> type, HandlerMethod.Found found) {
        Method method = found.method();
        try {
            if (Modifier.isPrivate(method.getModifiers()) || Modifier.isStatic(method.getModifiers())) {
                throw new IllegalArgumentException("It is private or static, so that no bean is asked: remove the"
                        + " modifier");
            }
            if (DeferredResults.isDeferred(method.getReturnType())) {
                throw new IllegalArgumentException("It returns a " + method.getReturnType().getSimpleName()
                        + ", which would end the job before its work: wait for the work and return its value");
            }
            QueueName queue = new QueueName(environment.resolveRequiredPlaceholders(found.annotation().value()));
            return new HandlerMethod(bean, method, found.annotation(), queue,
                    found.annotation().batch() == 0
                            ? HandlerArguments.of(method, type)
                            : ofSeveral(queue, method, type, found.annotation()));
        } catch (IllegalArgumentException e) {
            throw new StartRefusedException("@JobHandler " + type.getSimpleName() + "." + method.getName() + ": "
                    + e.getMessage(), "Correct the method and start again.");
        }
    }

    private static HandlerArguments ofSeveral(QueueName queue, Method method, Class<?> type, JobHandler annotation) {
        if (queue.isFifo()) {
            throw new IllegalArgumentException(
                    "A FIFO queue runs the jobs of a group one after the other: remove batch,"
                            + " or end the queue's name otherwise");
        }
        if (annotation.inTransaction()) {
            throw new IllegalArgumentException(
                    "The jobs of one call end each by itself, so not with inTransaction: call"
                            + " job().completeIn(dataSource) for each in a transaction of the method");
        }
        return HandlerArguments.ofSeveral(method, type);
    }
}
