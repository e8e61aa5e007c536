package dev.orderly.spring.event;

import dev.orderly.job.payload.PayloadTypes;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.springframework.context.ApplicationEvent;
import org.springframework.core.ResolvableType;

/**
 * The types of event that the jobs of a listener carry: one class, or each class that a sealed type permits.
 *
 * @param payload the type by which the queue is declared
 * @param classes of events, exactly
 */
record EventTypes(Type payload, Set<Class<?>> classes) {
    private static final Pattern HUMP = Pattern.compile("(?<=[a-z0-9])(?=[A-Z])");

    EventTypes {
        classes = Set.copyOf(classes);
    }

    /** @throws IllegalArgumentException if a job cannot carry all events of the type; the message says why */
    static EventTypes of(ResolvableType parameter) {
        Class<?> type = parameter.resolve(Object.class);
        if (type == Object.class || parameter.hasUnresolvableGenerics()) {
            throw new IllegalArgumentException("the class of its event is not known before it is published");
        }
        if (ApplicationEvent.class.isAssignableFrom(type)) {
            throw new IllegalArgumentException("an ApplicationEvent has a source, which no other process has");
        }
        if (type.isSealed()) {
            return ofSealed(type);
        }
        if (Modifier.isAbstract(type.getModifiers())) {
            throw new IllegalArgumentException("its events are of any class that extends " + type.getName()
                    + ": make it sealed, and each class is a kind of payload");
        }
        return new EventTypes(parameter.getType(), Set.of(type));
    }

    private static EventTypes ofSealed(Class<?> type) {
        Set<Class<?>> classes = new LinkedHashSet<>();
        collect(type, classes);
        PayloadTypes<Object> payload = PayloadTypes.ofType(type);
        for (Class<?> each : classes) {
            payload = payload.kind(HUMP.matcher(each.getSimpleName()).replaceAll("-").toLowerCase(Locale.ROOT), each);
        }
        return new EventTypes(payload, classes);
    }

    private static void collect(Class<?> type, Set<Class<?>> classes) {
        if (!Modifier.isAbstract(type.getModifiers())) {
            classes.add(type);
        }
        if (type.isSealed()) {
            for (Class<?> permitted : type.getPermittedSubclasses()) {
                collect(permitted, classes);
            }
        } else if (Modifier.isAbstract(type.getModifiers())) {
            throw new IllegalArgumentException("anything may extend " + type.getName() + ": make it sealed or final");
        }
    }

    boolean contains(Class<?> event) {
        return classes.contains(event);
    }

    @Override
    public String toString() {
        return String.join(", ", classes.stream().map(Class::getName).sorted().toList());
    }
}
