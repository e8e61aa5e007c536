package dev.orderly.testkit.contract.api;

import dev.orderly.job.Payload;
import dev.orderly.job.QueueName;
import dev.orderly.room.RoomName;
import dev.orderly.time.Time;
import dev.orderly.user.UserId;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Proxy;
import java.lang.reflect.Type;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Valid values of the types of parameters: what a test gave, a proxy for any other interface, and an instance by the
 * shortest public constructor for any other class.
 */
public final class Samples {
    private final Map<Class<?>, Object> given = new HashMap<>();

    Samples() {
        Stream.of("text", Duration.ofSeconds(1), Instant.EPOCH, ZoneId.of("UTC"), URI.create("a:b"), new UUID(1, 2),
                Path.of("none"), new RuntimeException(), new QueueName("mails"), new RoomName("sale"),
                Payload.json("1"), new UserId("ann"),
                InetAddress.getLoopbackAddress()).forEach(each -> with(each.getClass(), each));
        with(Class.class, String.class);
        with(UnaryOperator.class, UnaryOperator.identity());
        with(Optional.class, Optional.empty());
        with(Time.class, Time.system());
        with(Object.class, "text");
    }

    /** Gives instances for their own classes. */
    public Samples with(Object... values) {
        Stream.of(values).forEach(each -> with(each.getClass(), each));
        return this;
    }

    /** Gives the instance for a type. */
    public Samples with(Class<?> type, Object value) {
        given.put(type, value);
        return this;
    }

    /** A value of a type of which there is one. */
    public <T> T some(Class<T> type) {
        return type.cast(Objects.requireNonNull(of(type), () -> "no sample of " + type));
    }

    /** A value of a type; null if there is none. */
    @Nullable
    Object of(Class<?> type) {
        Object known = given.get(type);
        if (known == null && type != Object.class) {
            known = given.values().stream().filter(type::isInstance).findFirst().orElse(null);
        }
        if (known != null) {
            return known;
        }
        if (type.isPrimitive()) {
            return type == boolean.class
                    ? (Object) false
                    : type == long.class ? (Object) 1L : type == double.class ? (Object) 1.0 : (Object) 1;
        }
        if (type == Integer.class || type == Long.class || type == Double.class || type == Boolean.class) {
            return type == Boolean.class
                    ? (Object) false
                    : type == Long.class
                            ? (Object) 1L
                            : type == Double.class ? (Object) 1.0 : (Object) 1;
        }
        if (type.isEnum()) {
            return type.getEnumConstants()[0];
        }
        if (type.isArray()) {
            return Array.newInstance(type.getComponentType(), 0);
        }
        if (isContainer(type)) {
            return emptyContainer(type);
        }
        if (type.isSealed()) {
            return Arrays.stream(type.getPermittedSubclasses()).map(this::of).filter(Objects::nonNull).findFirst()
                    .orElse(null);
        }
        return type.isInterface() ? proxy(type) : made(type);
    }

    /** Whether a type is a collection, a map or an array. */
    static boolean isContainer(Class<?> type) {
        return type.isArray() || type == List.class || type == Set.class || type == Collection.class
                || type == Map.class;
    }

    private static Object emptyContainer(Class<?> type) {
        return type == Map.class ? Map.of() : type == Set.class ? Set.of() : List.of();
    }

    /**
     * A collection, map or array that can be changed.
     *
     * @param generic its type with that of its elements
     * @param sample what is in it; if nothing is, one element of which there is a sample
     */
    Object changeable(Class<?> type, Type generic, @Nullable Object sample) {
        if (type.isArray()) {
            return Array.newInstance(type.getComponentType(), 1);
        }
        Object first = element(generic, 0);
        if (type == Map.class) {
            Map<@Nullable Object, @Nullable Object> map = new HashMap<>();
            if (sample instanceof Map<?, ?> given) {
                map.putAll(given);
            }
            Object value = element(generic, 1);
            if (map.isEmpty() && first != null && value != null) {
                map.put(first, value);
            }
            return map;
        }
        Collection<@Nullable Object> all = type == Set.class ? new HashSet<>() : new ArrayList<>();
        if (sample instanceof Collection<?> given) {
            all.addAll(given);
        }
        if (all.isEmpty() && first != null) {
            all.add(first);
        }
        return all;
    }

    private @Nullable Object element(Type generic, int index) {
        return generic instanceof ParameterizedType type
                && raw(type.getActualTypeArguments()[index]) instanceof Class<?> c
                        ? of(c)
                        : null;
    }

    private static @Nullable Type raw(Type type) {
        return type instanceof ParameterizedType parameterized ? parameterized.getRawType() : type;
    }

    /** An instance by the shortest public constructor, with samples; null if there is none. */
    private @Nullable Object made(Class<?> type) {
        Constructor<?> shortest = Arrays.stream(type.getConstructors())
                .min(Comparator.comparingInt(Constructor::getParameterCount)).orElse(null);
        try {
            return shortest == null
                    ? null
                    : shortest.newInstance(Arrays.stream(shortest.getParameterTypes()).map(this::of).toArray());
        } catch (ReflectiveOperationException e) {
            return null;
        }
    }

    /** An instance whose methods answer nothing; those with a body run it. */
    private static <T> T proxy(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[]{type},
                (self, method, arguments) -> method.isDefault()
                        ? InvocationHandler.invokeDefault(self, method, arguments)
                        : switch (method.getReturnType().getName()) {
                            case "boolean" -> false;
                            case "int" -> 1;
                            case "long" -> 1L;
                            case "double" -> 1.0;
                            case "java.lang.String" -> "text";
                            case "java.util.List" -> List.of();
                            case "java.util.Map" -> Map.of();
                            case "java.util.Optional" -> Optional.empty();
                            default -> null;
                        }));
    }
}
