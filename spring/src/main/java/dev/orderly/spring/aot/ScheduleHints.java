package dev.orderly.spring.aot;

import dev.orderly.spring.OrderlySchedule;
import java.lang.reflect.Method;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ReflectionUtils;

/** Keeps the methods with {@link OrderlySchedule} of a bean, which are found and called by reflection. */
final class ScheduleHints implements BeanRegistrationAotProcessor {
    @Override
    public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
        ReflectionUtils.MethodFilter filter = method -> AnnotatedElementUtils.hasAnnotation(method,
                OrderlySchedule.class);
        Set<Method> methods = MethodIntrospector.selectMethods(bean.getBeanClass(), filter);
        return methods.isEmpty()
                ? null
                : (generation, _) -> methods.forEach(method -> generation.getRuntimeHints()
                        .reflection().registerMethod(method, ExecutableMode.INVOKE));
    }
}
