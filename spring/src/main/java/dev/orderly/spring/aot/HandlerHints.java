package dev.orderly.spring.aot;

import dev.orderly.spring.handler.HandlerMethod;
import dev.orderly.spring.handler.HandlerMethods;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.RegisteredBean;

/**
 * Keeps the handler methods of a bean, which are found and called by reflection, and the payloads, which Jackson reads.
 */
final class HandlerHints implements BeanRegistrationAotProcessor {
    @Override
    public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
        List<HandlerMethod> methods = bean.getBeanFactory().getBeanProvider(HandlerMethods.class).stream()
                .flatMap(all -> all.find().values().stream())
                .filter(method -> method.beanName().equals(bean.getBeanName())).toList();
        return methods.isEmpty() ? null : (generation, _) -> {
            for (HandlerMethod method : methods) {
                generation.getRuntimeHints().reflection().registerMethod(method.method(), ExecutableMode.INVOKE);
                new BindingReflectionHintsRegistrar().registerReflectionHints(
                        generation.getRuntimeHints().reflection(), method.arguments().payload());
            }
        };
    }
}
