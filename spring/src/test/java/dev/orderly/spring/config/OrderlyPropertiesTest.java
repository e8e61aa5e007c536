package dev.orderly.spring.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.beans.PropertyDescriptor;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.beans.BeanUtils;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

class OrderlyPropertiesTest {
    private static OrderlyProperties bound(Map<String, String> values) {
        return new Binder(new MapConfigurationPropertySource(values)).bindOrCreate(OrderlyProperties.PREFIX,
                OrderlyProperties.class);
    }

    @Test
    void withoutAPropertyAPartIsAsItsAnnotationsSay() throws ReflectiveOperationException {
        OrderlyProperties properties = new OrderlyProperties();
        List<PropertyDescriptor> parts = Arrays.stream(BeanUtils.getPropertyDescriptors(OrderlyProperties.class))
                .filter(property -> property.getPropertyType().isRecord()).toList();
        assertThat(parts).hasSize(11);
        for (PropertyDescriptor part : parts) {
            assertThat(part.getReadMethod().invoke(properties)).as(part.getName()).isEqualTo(
                    new Binder(List.of()).bindOrCreate("nothing", part.getPropertyType()));
        }
    }

    @Test
    void aPropertyLeavesItsNeighboursAsTheyAre() {
        OrderlyProperties properties = bound(Map.of("orderly.keep.done", "2h", "orderly.stop-grace", "3s",
                "orderly.queues[mail.fifo].concurrency", "7", "orderly.rooms.sale.capacity", "9"));
        assertThat(properties.getKeep()).isEqualTo(new OrderlyProperties.Keep(Duration.ofHours(2),
                new OrderlyProperties().getKeep().doneMax(), new OrderlyProperties().getKeep().dead()));
        assertThat(properties.getStopGrace()).isEqualTo(Duration.ofSeconds(3));
        assertThat(Objects.requireNonNull(properties.getQueues().get("mail.fifo")).concurrency()).isEqualTo(7);
        assertThat(Objects.requireNonNull(properties.getRooms().get("sale")).capacity()).isEqualTo(9);
        assertThat(properties.getLive()).isEqualTo(new OrderlyProperties().getLive());
    }
}
