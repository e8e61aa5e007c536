package dev.orderly.spring.event;

import dev.orderly.spring.config.PropertyProblems;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.springframework.aot.AotDetector;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.annotation.AnnotatedBeanDefinition;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurationPackages;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.type.filter.AnnotationTypeFilter;
import org.springframework.modulith.events.Externalized;
import org.springframework.modulith.events.config.EventExternalizationAutoConfiguration;
import org.springframework.util.ClassUtils;

/**
 * The types of event with {@link Externalized} in the packages of the application. Checks at the start that each names
 * a queue, as far as that is known before an event is published: not of names that are expressions, not with a
 * configuration of externalization that the application declares, which may route by anything, and not in a native
 * image, which cannot search for classes.
 */
public final class ExternalizedTypes implements SmartInitializingSingleton {
    private static final String KEY = "::";
    private static final String EXPRESSION = "#{";

    private static final String CONFIGURATION = "eventExternalizationConfiguration";

    private final ConfigurableListableBeanFactory beans;
    private final ExternalizedEvents events;

    public ExternalizedTypes(ConfigurableListableBeanFactory beans, ExternalizedEvents events) {
        this.beans = beans;
        this.events = events;
    }

    @Override
    public void afterSingletonsInstantiated() {
        if (AotDetector.useGeneratedArtifacts() || !isByAnnotation()) {
            return;
        }
        PropertyProblems problems = new PropertyProblems();
        find(beans).forEach((type, local) -> check(type, local, problems));
        problems.refuse();
    }

    private boolean isByAnnotation() {
        return beans.containsBeanDefinition(CONFIGURATION)
                && beans.getBeanDefinition(CONFIGURATION) instanceof AnnotatedBeanDefinition definition
                && definition.getFactoryMethodMetadata() != null && definition.getFactoryMethodMetadata()
                        .getDeclaringClassName().equals(EventExternalizationAutoConfiguration.class.getName());
    }

    private void check(Class<?> type, String local, PropertyProblems problems) {
        String[] parts = Objects.requireNonNull(AnnotatedElementUtils.findMergedAnnotation(type, Externalized.class))
                .target().split(KEY, 2);
        String target = parts[0].isBlank() ? local : parts[0].strip();
        if (target.startsWith(EXPRESSION)) {
            return;
        }
        try {
            events.queue(type, target, parts.length == 2 && !parts[1].isBlank());
        } catch (IllegalStateException e) {
            problems.add("@Externalized " + type.getSimpleName(), String.valueOf(e.getMessage()));
        }
    }

    /** The types, with the names that Spring Modulith routes by where the annotation names no target. */
    public static Map<Class<?>, String> find(BeanFactory beans) {
        ClassPathScanningCandidateComponentProvider search = new ClassPathScanningCandidateComponentProvider(false) {
            @Override
            protected boolean isCandidateComponent(AnnotatedBeanDefinition definition) {
                return true;
            }
        };
        search.addIncludeFilter(new AnnotationTypeFilter(Externalized.class));
        Map<Class<?>, String> found = new LinkedHashMap<>();
        List<String> packages = AutoConfigurationPackages.has(beans) ? AutoConfigurationPackages.get(beans) : List.of();
        for (String base : packages) {
            for (BeanDefinition definition : search.findCandidateComponents(base)) {
                String name = Objects.requireNonNull(definition.getBeanClassName());
                found.putIfAbsent(ClassUtils.resolveClassName(name, null),
                        base.isEmpty() ? name : name.substring(base.length() + 1));
            }
        }
        return found;
    }
}
