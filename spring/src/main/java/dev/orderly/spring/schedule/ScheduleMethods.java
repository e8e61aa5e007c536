package dev.orderly.spring.schedule;

import dev.orderly.spring.OrderlySchedule;
import dev.orderly.spring.StartRefusedException;
import dev.orderly.spring.handler.DeferredResults;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.annotation.Schedules;
import org.springframework.util.ReflectionUtils;

/** The methods with {@link OrderlySchedule} of all beans. Looks at the types of beans and creates none. */
public final class ScheduleMethods {
    private static final String REMEDY = "Correct the method and start again.";

    private final ConfigurableListableBeanFactory beans;

    public ScheduleMethods(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    /** @throws StartRefusedException if a method cannot be called */
    public List<ScheduleMethod> find() {
        List<ScheduleMethod> all = new ArrayList<>();
        ReflectionUtils.MethodFilter filter = method -> AnnotatedElementUtils.hasAnnotation(method,
                OrderlySchedule.class);
        for (String name : beans.getBeanDefinitionNames()) {
            if (ScopedProxyUtils.isScopedTarget(name) || beans.getBeanDefinition(name).isAbstract()) {
                continue;
            }
            Class<?> type = AutoProxyUtils.determineTargetClass(beans, name);
            if (type == null || type.getName().startsWith("org.springframework.")
                    || !AnnotationUtils.isCandidateClass(type, OrderlySchedule.class)) {
                continue;
            }
            MethodIntrospector.selectMethods(type, filter).forEach(method -> all.add(checked(name, method)));
        }
        return all;
    }

    private static ScheduleMethod checked(String bean, Method method) {
        ScheduleMethod found = new ScheduleMethod(bean, method, Objects.requireNonNull(AnnotatedElementUtils
                .findMergedAnnotation(method, OrderlySchedule.class)));
        if (Modifier.isPrivate(method.getModifiers()) || Modifier.isStatic(method.getModifiers())) {
            throw new StartRefusedException(
                    found.where() + " is private or static, so that no bean is asked: remove the"
                            + " modifier",
                    REMEDY);
        }
        if (!found.takesRun()) {
            throw new StartRefusedException(found.where() + " has parameters: take nothing, or a ScheduledRun", REMEDY);
        }
        if (DeferredResults.isDeferred(method.getReturnType())) {
            throw new StartRefusedException(found.where() + " returns a " + method.getReturnType().getSimpleName()
                    + ", which would end the run before its work: wait for the work", REMEDY);
        }
        if (AnnotatedElementUtils.hasAnnotation(method, Scheduled.class)
                || AnnotatedElementUtils.hasAnnotation(method, Schedules.class)) {
            throw new StartRefusedException(
                    found.where() + " has @Scheduled too, and would run by both: remove one of them",
                    REMEDY);
        }
        return found;
    }
}
