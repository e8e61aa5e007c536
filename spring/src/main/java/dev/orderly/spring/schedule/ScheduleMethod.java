package dev.orderly.spring.schedule;

import dev.orderly.schedule.ScheduledHandler;
import dev.orderly.schedule.ScheduledRun;
import dev.orderly.spring.OrderlySchedule;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.util.ReflectionUtils;

/**
 * A method of a bean with {@link OrderlySchedule}.
 *
 * @param method as the class of the bean declares it, not its proxy
 */
public record ScheduleMethod(String beanName, Method method, OrderlySchedule annotation) {
    /** Class and method, for messages. */
    public String where() {
        return "@OrderlySchedule " + method.getDeclaringClass().getSimpleName() + "." + method.getName();
    }

    /** The handler that calls the method; a lazy bean is created by its first run. */
    ScheduledHandler handler(BeanFactory beans) {
        return run -> {
            Object bean = beans.getBean(beanName);
            Method callee = AopUtils.selectInvocableMethod(method, bean.getClass());
            ReflectionUtils.makeAccessible(callee);
            try {
                Object result = callee.getParameterCount() == 0 ? callee.invoke(bean) : callee.invoke(bean, run);
                if (result != null) {
                    run.job().result(result);
                }
            } catch (InvocationTargetException e) {
                ReflectionUtils.rethrowException(e.getTargetException());
            }
        };
    }

    /** Whether the method can be called with a run. */
    boolean takesRun() {
        Class<?>[] types = method.getParameterTypes();
        return types.length == 0 || (types.length == 1 && types[0] == ScheduledRun.class);
    }
}
