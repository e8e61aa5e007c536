package dev.orderly.spring.cost;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** A small application; prints the milliseconds until it was ready. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration(exclude = {DataSourceAutoConfiguration.class, HibernateJpaAutoConfiguration.class,
        DataJpaRepositoriesAutoConfiguration.class})
class CostApplication {
    static void main(String[] arguments) {
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true,
                StandardCharsets.UTF_8);
        SpringApplication application = application();
        application.addListeners((ApplicationListener<ApplicationReadyEvent>) ready -> out.println(
                Objects.requireNonNull(ready.getTimeTaken()).toMillis()));
        application.run(arguments).close();
    }

    private static SpringApplication application(Class<?>... more) {
        SpringApplication application = new SpringApplication(CostApplication.class);
        application.addPrimarySources(List.of(more));
        application.setBannerMode(Banner.Mode.OFF);
        application.setWebApplicationType(WebApplicationType.NONE);
        return application;
    }

    static ConfigurableApplicationContext start(Class<?> handlers, String... arguments) {
        return application(handlers).run(arguments);
    }
}
