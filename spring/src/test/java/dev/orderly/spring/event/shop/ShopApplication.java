package dev.orderly.spring.event.shop;

import dev.orderly.spring.event.MemoryPublications;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.modulith.events.core.EventPublicationRepository;

/** An application of Spring Modulith: orders are placed, billed and shipped, each in a module of its own. */
@SpringBootApplication(
        exclude = {HibernateJpaAutoConfiguration.class, DataJpaRepositoriesAutoConfiguration.class},
        proxyBeanMethods = false)
public class ShopApplication {
    /** Makes Spring Modulith configure its registry and multicaster. */
    @Bean
    EventPublicationRepository publications() {
        return new MemoryPublications();
    }
}
