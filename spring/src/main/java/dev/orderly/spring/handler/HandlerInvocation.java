package dev.orderly.spring.handler;

import dev.orderly.job.BatchedJob;
import dev.orderly.job.Handler;
import dev.orderly.job.Job;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.util.ReflectionUtils;

/** Calls the method of a bean, which is created by the first job if it is lazy. Thread-safe. */
final class HandlerInvocation implements Handler<Object> {
    private final BeanFactory beans;
    private final String bean;
    private final Method declared;
    private final HandlerArguments.Argument[] arguments;
    private final boolean single;
    private volatile @Nullable Target target;

    /** A bean, and the method by which its proxy is called. */
    private record Target(Object bean, Method method) {}

    HandlerInvocation(BeanFactory beans, HandlerMethod method) {
        this.beans = beans;
        this.bean = method.beanName();
        this.declared = method.method();
        List<HandlerArguments.Argument> list = method.arguments().list();
        this.arguments = list.toArray(HandlerArguments.Argument[]::new);
        this.single = beans.isSingleton(bean);
    }

    /** @throws IllegalStateException if the proxy of the bean does not have the method */
    void resolve() {
        target();
    }

    @Override
    public void handle(Object payload, Job<Object> job) throws Exception {
        @Nullable
        Object[] values = new @Nullable Object[arguments.length];
        for (int index = 0; index < values.length; index++) {
            values[index] = arguments[index].of(payload, job);
        }
        Object result = call(values);
        if (result != null) {
            job.result(result);
        }
    }

    /** Calls a method that takes several jobs. */
    void handleSeveral(List<BatchedJob<Object>> jobs) throws Exception {
        var _ = call(jobs);
    }

    private @Nullable Object call(@Nullable Object... values) throws Exception {
        Target callee = target();
        try {
            return callee.method.invoke(callee.bean, values);
        } catch (InvocationTargetException e) {
            ReflectionUtils.rethrowException(e.getTargetException());
            return null;
        }
    }

    private Target target() {
        Target known = target;
        if (known != null) {
            return known;
        }
        Object instance = beans.getBean(bean);
        Method method = AopUtils.selectInvocableMethod(declared, instance.getClass());
        ReflectionUtils.makeAccessible(method);
        Target found = new Target(instance, method);
        if (single) {
            target = found;
        }
        return found;
    }
}
