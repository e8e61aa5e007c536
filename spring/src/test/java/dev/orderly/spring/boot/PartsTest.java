package dev.orderly.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.Orderly;
import dev.orderly.Store;
import dev.orderly.spring.OrderlySchedule;
import dev.orderly.spring.event.MemoryPublications;
import dev.orderly.testkit.MemoryStore;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.modulith.events.config.EventExternalizationAutoConfiguration;
import org.springframework.modulith.events.config.EventPublicationAutoConfiguration;

/** The automatic configurations of the starter, each left out alone. */
class PartsTest {
    static List<Class<?>> parts() {
        return ImportCandidates.load(AutoConfiguration.class, PartsTest.class.getClassLoader()).getCandidates().stream()
                .filter(name -> name.startsWith("dev.orderly.")).<Class<?>>map(PartsTest::load).toList();
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(name);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    @AutoConfigurationPackage
    static class Packages {}

    static class Daily {
        @OrderlySchedule("daily")
        void run() {}
    }

    @ParameterizedTest
    @MethodSource("parts")
    void theApplicationStartsWithoutAnyOneOfTheParts(Class<?> part) {
        Class<?>[] others = Stream.concat(parts().stream().filter(each -> each != part), Stream.of(
                EndpointAutoConfiguration.class, EventPublicationAutoConfiguration.class,
                EventExternalizationAutoConfiguration.class)).toArray(Class<?>[]::new);
        new WebApplicationContextRunner().withConfiguration(AutoConfigurations.of(others))
                .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                .withBean(ObservationRegistry.class, ObservationRegistry::create)
                .withUserConfiguration(Packages.class).withBean(Store.class, MemoryStore::new).withBean(Daily.class)
                .withBean(MemoryPublications.class)
                .withPropertyValues("orderly.events.adopt=true", "orderly.schedules.adopt=true",
                        "management.endpoints.web.exposure.include=orderly")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    if (part == OrderlyAutoConfiguration.class) {
                        assertThat(context).doesNotHaveBean(Orderly.class);
                    } else {
                        assertThat(context.getBean(Orderly.class).schedules().views())
                                .hasSize(part == OrderlyScheduleAutoConfiguration.class ? 0 : 1);
                    }
                });
    }
}
