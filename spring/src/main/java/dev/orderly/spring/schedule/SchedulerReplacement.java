package dev.orderly.spring.schedule;

import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.scheduling.config.TaskManagementConfigUtils;

/** Puts {@link AdoptingScheduler} in the place of the processor that {@code @EnableScheduling} declares. */
public final class SchedulerReplacement implements BeanDefinitionRegistryPostProcessor {
    private static final String NAME = TaskManagementConfigUtils.SCHEDULED_ANNOTATION_PROCESSOR_BEAN_NAME;

    @Override
    public void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry registry) {
        if (registry.containsBeanDefinition(NAME)
                && !AdoptingScheduler.class.getName().equals(registry.getBeanDefinition(NAME).getBeanClassName())) {
            registry.removeBeanDefinition(NAME);
            RootBeanDefinition definition = new RootBeanDefinition(AdoptingScheduler.class);
            definition.setRole(BeanDefinition.ROLE_INFRASTRUCTURE);
            registry.registerBeanDefinition(NAME, definition);
        }
    }
}
