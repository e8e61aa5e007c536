package dev.orderly.springtest;

import dev.orderly.spring.JobHandler;
import dev.orderly.spring.OrderlySchedule;
import java.io.IOException;
import org.springframework.boot.test.context.filter.annotation.StandardAnnotationCustomizableTypeExcludeFilter;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.core.type.classreading.MetadataReader;
import org.springframework.core.type.classreading.MetadataReaderFactory;

/** Leaves out each component that has no method of Orderly. */
final class OrderlyTypeExcludeFilter extends StandardAnnotationCustomizableTypeExcludeFilter<OrderlyTest> {
    OrderlyTypeExcludeFilter(Class<?> testClass) {
        super(testClass);
    }

    @Override
    protected boolean defaultInclude(MetadataReader reader, MetadataReaderFactory factory) throws IOException {
        AnnotationMetadata type = reader.getAnnotationMetadata();
        return type.hasAnnotatedMethods(JobHandler.class.getName())
                || type.hasAnnotatedMethods(OrderlySchedule.class.getName()) || super.defaultInclude(reader, factory);
    }
}
