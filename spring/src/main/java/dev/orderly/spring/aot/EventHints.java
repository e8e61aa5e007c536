package dev.orderly.spring.aot;

import dev.orderly.spring.event.ExternalizedTypes;
import java.lang.reflect.Method;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.generate.GenerationContext;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.beans.factory.aot.BeanFactoryInitializationAotContribution;
import org.springframework.beans.factory.aot.BeanFactoryInitializationAotProcessor;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.modulith.events.ApplicationModuleListener;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Keeps the methods with {@code @ApplicationModuleListener}, which jobs call by reflection, and the types of event that
 * Jackson writes and reads: the parameters of these methods, and types with {@code @Externalized}.
 */
final class EventHints implements BeanRegistrationAotProcessor, BeanFactoryInitializationAotProcessor {
    private static final boolean PRESENT = ClassUtils.isPresent(
            "org.springframework.modulith.events.support.PersistentApplicationEventMulticaster",
            EventHints.class.getClassLoader());

    @Override
    public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
        Set<Method> methods = PRESENT ? listeners(bean.getBeanClass()) : Set.of();
        return methods.isEmpty() ? null : (generation, _) -> methods.forEach(method -> {
            ReflectionHints hints = generation.getRuntimeHints().reflection();
            hints.registerMethod(method, ExecutableMode.INVOKE);
            new BindingReflectionHintsRegistrar().registerReflectionHints(hints, method.getGenericParameterTypes());
        });
    }

    private static Set<Method> listeners(Class<?> type) {
        ReflectionUtils.MethodFilter filter = method -> AnnotatedElementUtils.hasAnnotation(method,
                ApplicationModuleListener.class);
        return MethodIntrospector.selectMethods(type, filter);
    }

    @Override
    public @Nullable BeanFactoryInitializationAotContribution processAheadOfTime(
            ConfigurableListableBeanFactory beans) {
        return PRESENT && beans.getBeanNamesForType(ExternalizedTypes.class, true, false).length > 0
                ? (generation, _) -> keep(beans, generation)
                : null;
    }

    private static void keep(ConfigurableListableBeanFactory beans, GenerationContext generation) {
        ExternalizedTypes.find(beans).keySet().forEach(type -> new BindingReflectionHintsRegistrar()
                .registerReflectionHints(generation.getRuntimeHints().reflection(), type));
    }
}
