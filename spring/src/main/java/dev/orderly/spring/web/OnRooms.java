package dev.orderly.spring.web;

import java.util.Map;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Whether the properties have a room. */
final class OnRooms extends SpringBootCondition {
    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        Map<String, Object> rooms = Binder.get(context.getEnvironment())
                .bind("orderly.rooms", Bindable.mapOf(String.class, Object.class)).orElse(Map.of());
        return rooms.isEmpty()
                ? ConditionOutcome.noMatch("orderly.rooms names no room")
                : ConditionOutcome.match("orderly.rooms names " + String.join(", ", rooms.keySet()));
    }
}
