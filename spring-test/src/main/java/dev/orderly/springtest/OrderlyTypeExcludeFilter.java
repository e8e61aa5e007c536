package dev.orderly.springtest;

import dev.orderly.spring.JobHandler;
import dev.orderly.spring.OrderlySchedule;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.test.context.filter.annotation.StandardAnnotationCustomizableTypeExcludeFilter;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.core.type.classreading.MetadataReader;
import org.springframework.core.type.classreading.MetadataReaderFactory;
import org.springframework.test.context.TestContextAnnotationUtils;

/**
 * Leaves out each component that has no method of Orderly; with {@link AutoConfigureOrderlyEvents}, one with a listener
 * of Spring Modulith has.
 */
final class OrderlyTypeExcludeFilter extends StandardAnnotationCustomizableTypeExcludeFilter<OrderlyTest> {
    private static final String LISTENER = "org.springframework.modulith.events.ApplicationModuleListener";

    private final boolean listeners;

    OrderlyTypeExcludeFilter(Class<?> testClass) {
        super(testClass);
        AutoConfigureOrderlyEvents events = TestContextAnnotationUtils.findMergedAnnotation(testClass,
                AutoConfigureOrderlyEvents.class);
        this.listeners = events != null && events.adopt();
    }

    @Override
    protected boolean defaultInclude(MetadataReader reader, MetadataReaderFactory factory) throws IOException {
        AnnotationMetadata type = reader.getAnnotationMetadata();
        return type.hasAnnotatedMethods(JobHandler.class.getName())
                || type.hasAnnotatedMethods(OrderlySchedule.class.getName())
                || (listeners && type.hasAnnotatedMethods(LISTENER)) || super.defaultInclude(reader, factory);
    }

    /** Contexts of equal filters are shared. */
    @Override
    public boolean equals(@Nullable Object other) {
        return super.equals(other) && other instanceof OrderlyTypeExcludeFilter that && listeners == that.listeners;
    }

    @Override
    public int hashCode() {
        return 31 * super.hashCode() + Boolean.hashCode(listeners);
    }
}
