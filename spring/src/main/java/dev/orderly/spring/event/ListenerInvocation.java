package dev.orderly.spring.event;

import dev.orderly.job.Handler;
import dev.orderly.job.Job;
import dev.orderly.spring.transaction.JoinedTransactions;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.aop.TargetSource;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AdvisedSupport;
import org.springframework.aop.framework.ReflectiveMethodInvocation;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.target.SingletonTargetSource;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.modulith.events.support.CompletionRegisteringAdvisor;
import org.springframework.scheduling.annotation.AsyncAnnotationAdvisor;
import org.springframework.util.ReflectionUtils;

/**
 * Calls a listener on the thread of its job, with all that is around its bean, such as its transaction, except for two
 * parts whose work the job does: {@code @Async}, which would return before the work is done, and the completion of a
 * publication. Completes the job in the transaction of the listener if that is of the database of the jobs.
 * Thread-safe.
 */
final class ListenerInvocation implements Handler<Object> {
    private final BeanFactory beans;
    private final String bean;
    private final Method method;
    private final @Nullable JoinedTransactions transactions;
    private volatile @Nullable Around last;

    /** A bean with what is around its target, which finds the interceptors of a method once. */
    private record Around(Object instance, AdvisedSupport support) {}

    ListenerInvocation(BeanFactory beans, String bean, Method method, @Nullable JoinedTransactions transactions) {
        this.beans = beans;
        this.bean = bean;
        this.method = method;
        this.transactions = transactions;
    }

    /** An invocation whose chain is given; the constructor of the framework is for subclasses. */
    private static final class Invocation extends ReflectiveMethodInvocation {
        Invocation(Object proxy, @Nullable Object target, Method method, Object event, List<Object> chain) {
            super(proxy, target, method, new Object[]{event}, target == null ? null : target.getClass(), chain);
        }
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // another instance has another target
    public void handle(Object event, Job<Object> job) throws Exception {
        Object instance = beans.getBean(bean);
        Around known = last;
        if (known == null || known.instance != instance) {
            known = new Around(instance, around(instance));
            last = known;
        }
        AdvisedSupport around = known.support;
        TargetSource source = around.getTargetSource();
        Object target = source.getTarget();
        try {
            Class<?> type = target == null ? method.getDeclaringClass() : target.getClass();
            List<Object> chain = new ArrayList<>(around.getInterceptorsAndDynamicInterceptionAdvice(method, type));
            chain.add(completing(job));
            new Invocation(instance, target, method, event, chain).proceed();
        } catch (Throwable e) {
            ReflectionUtils.rethrowException(e);
        } finally {
            if (target != null && !source.isStatic()) {
                source.releaseTarget(target);
            }
        }
    }

    /** The target of a bean with the advisors of its proxy, in their order. */
    private AdvisedSupport around(Object instance) {
        AdvisedSupport around = new AdvisedSupport();
        if (instance instanceof Advised advised) {
            around.setTargetSource(advised.getTargetSource());
            around.setPreFiltered(advised.isPreFiltered());
            around.setInterfaces(advised.getProxiedInterfaces());
            for (Advisor advisor : advised.getAdvisors()) {
                if (!(advisor instanceof AsyncAnnotationAdvisor || advisor instanceof CompletionRegisteringAdvisor)) {
                    around.addAdvisor(advisor);
                }
            }
        } else if (AopUtils.isAopProxy(instance)) {
            throw new IllegalStateException(
                    "Bean " + bean + " is an opaque proxy, so that its listener cannot be called"
                            + " on the thread of a job: remove opaque = true, or list " + bean + "." + method.getName()
                            + " in orderly.events.leave");
        } else {
            around.setTargetSource(new SingletonTargetSource(instance));
        }
        return around;
    }

    /** The innermost interceptor, which runs inside the transaction of the listener. */
    private MethodInterceptor completing(Job<?> job) {
        return invocation -> {
            Object result = invocation.proceed();
            if (transactions != null) {
                transactions.complete(job);
            }
            return result;
        };
    }
}
