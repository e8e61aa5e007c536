package dev.orderly.spring.boot;

import dev.orderly.spring.config.OrderlyProperties;
import dev.orderly.spring.config.RoomProperties;
import dev.orderly.text.NearestName;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Explains that properties below {@code orderly} do not exist, and names those that were meant. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class UnknownPropertyAnalyzer extends AbstractFailureAnalyzer<UnboundConfigurationPropertiesException> {
    private static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of(OrderlyProperties.PREFIX);
    private static final ConfigurationPropertyName QUEUES = ROOT.append("queues");
    private static final ConfigurationPropertyName ROOMS = ROOT.append("rooms");

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, UnboundConfigurationPropertiesException cause) {
        Map<String, String> remedies = new TreeMap<>();
        cause.getUnboundProperties().stream().map(property -> property.getName()).filter(ROOT::isAncestorOf)
                .forEach(name -> remedies.put(name.toString(), remedy(name)));
        if (remedies.isEmpty()) {
            return null;
        }
        return new FailureAnalysis(remedies.keySet().stream()
                .map(name -> name + ": There is no such property in this version").collect(Collectors.joining("\n")),
                remedies.entrySet().stream().map(entry -> entry.getKey() + ": " + entry.getValue())
                        .collect(Collectors.joining("\n")),
                rootFailure);
    }

    private static String remedy(ConfigurationPropertyName name) {
        String[] fifo = name.toString().substring(OrderlyProperties.PREFIX.length()).split("(?<=\\.fifo)\\.", 2);
        if (QUEUES.isAncestorOf(name) && fifo.length == 2) {
            return "write the name of a queue with a dot in brackets: orderly.queues["
                    + fifo[0].substring(".queues.".length()) + "]." + fifo[1];
        }
        boolean named = name.getNumberOfElements() > 3;
        if (named && QUEUES.isAncestorOf(name)) {
            return remedy(name.chop(3), name, OrderlyProperties.Queue.class);
        }
        return named && ROOMS.isAncestorOf(name)
                ? remedy(name.chop(3), name, RoomProperties.Room.class)
                : remedy(ROOT, name, OrderlyProperties.class);
    }

    /** Names the property below the parent that is meant: the same name at another depth, or else the nearest one. */
    private static String remedy(ConfigurationPropertyName parent, ConfigurationPropertyName name, Class<?> type) {
        Set<String> known = new TreeSet<>();
        collect("", type, known);
        String wrong = name.subName(parent.getNumberOfElements()).toString();
        String last = name.getLastElement(ConfigurationPropertyName.Form.DASHED);
        List<String> moved = known.stream().filter(each -> each.endsWith("." + last)).toList();
        return (moved.size() == 1 ? Optional.of(moved.getFirst()) : NearestName.of(wrong, known))
                .map(near -> "did you mean " + parent + "." + near + "?")
                .orElse("remove it; docs/spring.md lists the properties");
    }

    /** The properties of a type, in kebab case. */
    private static void collect(String prefix, Class<?> type, Set<String> into) {
        for (Field field : type.getDeclaredFields()) {
            String name = prefix + field.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
            if (Modifier.isStatic(field.getModifiers())) {
                continue;
            }
            if (field.getType().isRecord()) {
                collect(name + ".", field.getType(), into);
            } else {
                into.add(name);
            }
        }
    }
}
