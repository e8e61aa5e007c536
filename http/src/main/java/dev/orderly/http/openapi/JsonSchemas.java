package dev.orderly.http.openapi;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.orderly.access.Role;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.Priority;
import dev.orderly.room.RoomMode;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.util.RawValue;

/**
 * The schemas of records, as {@link RecordJson} writes them.
 *
 * <p>Types, formats and the constants of enums follow from the type of a component; a number is at least 0 unless its
 * {@link Doc} says otherwise. A component is required unless it is {@link OmitNull}, or may be null in a request; null
 * is a value of what is {@link Nullable} and not omitted. Requests, whose names end so, have no further members.
 */
public final class JsonSchemas {
    private static final String REFERENCE = "#/components/schemas/";
    private static final String TYPE = "type";
    private static final String DESCRIPTION = "description";
    private static final JsonMapper FACETS = JsonMapper.builder().enable(JsonReadFeature.ALLOW_UNQUOTED_PROPERTY_NAMES)
            .enable(JsonReadFeature.ALLOW_SINGLE_QUOTES).build();
    private static final Pattern REQUEST = Pattern.compile("(Request|^BatchLine)$");
    /** Types of the core with a schema of their own. */
    private static final Map<Class<?>, Named> CORE = Map.of(JobState.class, new Named("State", "", ""), Role.class,
            new Named("Role", "", ""), JobId.class,
            new Named("JobId", "A UUIDv7. Ids of one store sort in push order.", "type: 'string', format: 'uuid'"),
            Priority.class,
            new Named("Priority", "1 urgent, 2 high, 3 normal, 4 low.", "type: 'integer', minimum: 1, maximum: 4"),
            RoomMode.class, new Named("RoomMode", "`auto`: visitors enter as the limits allow. `shadow`: all visitors"
                    + " pass, the line is only measured. `hold`: no new visitor enters, except by an operator's"
                    + " admission. `open`: all visitors pass. `drain`: visitors in line enter, new visitors are turned"
                    + " away. `reject`: visitors without a pass are turned away.", ""));

    private static final String INT = "type: 'integer', minimum: 0";
    private static final String LONG = "type: 'integer', format: 'int64', minimum: 0";
    private static final String BOOLEAN = "type: 'boolean'";
    private static final String DOUBLE = "type: 'number'";
    /** The keywords of values; all others are texts. */
    private static final Map<Class<?>, String> VALUES = Map.ofEntries(Map.entry(int.class, INT),
            Map.entry(Integer.class, INT), Map.entry(long.class, LONG), Map.entry(Long.class, LONG),
            Map.entry(double.class, DOUBLE), Map.entry(Double.class, DOUBLE), Map.entry(boolean.class, BOOLEAN),
            Map.entry(Boolean.class, BOOLEAN), Map.entry(Instant.class, "type: 'string', format: 'date-time'"),
            Map.entry(Duration.class, "type: 'string', format: 'duration'"),
            Map.entry(UUID.class, "type: 'string', format: 'uuid'"), Map.entry(Map.class, "type: 'object'"),
            Map.entry(JsonNode.class, ""), Map.entry(RawValue.class, ""), Map.entry(Object.class, ""));

    private final Map<String, ObjectNode> named = new TreeMap<>();
    private final Map<String, Class<?>> types = new HashMap<>();

    private record Named(String name, String description, String facets) {}

    /** The named schemas that were met so far. */
    public ObjectNode named() {
        ObjectNode all = object();
        named.forEach(all::set);
        return all;
    }

    /** Adds a schema that no record has, and returns the reference to it. */
    public ObjectNode add(String name, ObjectNode schema) {
        named.put(name, schema);
        return reference(name);
    }

    /** The schema of a type without parameters, with further keywords as {@link Doc#facets}. */
    public ObjectNode of(Class<?> type, String facets) {
        ObjectNode schema = ofClass(type);
        return schema.setAll(read(facets));
    }

    /** The names of the members of a record in JSON. */
    public static List<String> members(Class<? extends Record> type) {
        return Stream.of(type.getRecordComponents()).map(JsonSchemas::name).toList();
    }

    private static String name(RecordComponent component) {
        JsonProperty renamed = component.getAccessor().getAnnotation(JsonProperty.class);
        return renamed == null ? component.getName() : renamed.value();
    }

    private ObjectNode ofComponent(RecordComponent component, boolean required) {
        AnnotatedType type = component.getAnnotatedType();
        Doc doc = component.getAnnotation(Doc.class);
        ObjectNode schema = plain(type);
        if (doc != null) {
            schema.setAll(read(doc.facets()));
        }
        ObjectNode whole = required && type.isAnnotationPresent(Nullable.class) ? orNull(schema) : schema;
        return described(whole, doc == null ? "" : doc.value());
    }

    private ObjectNode ofItem(AnnotatedType type) {
        return type.isAnnotationPresent(Nullable.class) ? orNull(plain(type)) : plain(type);
    }

    private ObjectNode plain(AnnotatedType annotated) {
        Type type = annotated.getType();
        if (annotated instanceof AnnotatedParameterizedType generic
                && type instanceof ParameterizedType parameterized) {
            AnnotatedType last = generic.getAnnotatedActualTypeArguments()[generic
                    .getAnnotatedActualTypeArguments().length - 1];
            return Collection.class.isAssignableFrom((Class<?>) parameterized.getRawType())
                    ? object().put(TYPE, "array").set("items", ofItem(last))
                    : object().put(TYPE, "object").set("additionalProperties", ofItem(last));
        }
        return ofClass((Class<?>) type);
    }

    private ObjectNode ofClass(Class<?> type) {
        Named core = CORE.get(type);
        if (core != null) {
            named.computeIfAbsent(core.name, _ -> described(
                    (core.facets.isEmpty() ? words(type) : object()).setAll(read(core.facets)), core.description));
            return reference(core.name);
        }
        return type.isRecord() && !RecordJson.TEXTS.contains(type)
                ? ofRecord(type)
                : type.isEnum() ? words(type) : ofValue(type);
    }

    private static ObjectNode ofValue(Class<?> type) {
        return read(VALUES.getOrDefault(type, "type: 'string'"));
    }

    private ObjectNode ofRecord(Class<?> type) {
        Doc doc = type.getAnnotation(Doc.class);
        if (doc == null || doc.name().isEmpty()) {
            return members(type, doc, false);
        }
        Class<?> other = types.putIfAbsent(doc.name(), type);
        if (other == null) {
            named.put(doc.name(), members(type, doc, REQUEST.matcher(doc.name()).find()));
        } else if (other != type) {
            throw new IllegalStateException("The schema " + doc.name() + " is that of " + other.getName() + " and of "
                    + type.getName() + ": name one of them differently");
        }
        return reference(doc.name());
    }

    private ObjectNode members(Class<?> type, @Nullable Doc doc, boolean request) {
        RecordComponent first = type.getRecordComponents().length == 1 ? type.getRecordComponents()[0] : null;
        ObjectNode schema = first != null && first.getAccessor().isAnnotationPresent(JsonValue.class)
                ? plain(first.getAnnotatedType())
                : object(type, request);
        return doc == null ? schema : described(schema.setAll(read(doc.facets())), doc.value());
    }

    private ObjectNode object(Class<?> type, boolean request) {
        ObjectNode schema = object().put(TYPE, "object");
        ObjectNode properties = schema.putObject("properties");
        ArrayNode required = schema.putArray("required");
        for (RecordComponent component : type.getRecordComponents()) {
            boolean omitted = component.isAnnotationPresent(OmitNull.class);
            properties.set(name(component), ofComponent(component, !omitted));
            if (!omitted && !(request && component.getAnnotatedType().isAnnotationPresent(Nullable.class))) {
                required.add(name(component));
            }
        }
        if (request) {
            schema.put("additionalProperties", false);
        }
        return schema;
    }

    private static ObjectNode words(Class<?> type) {
        ObjectNode schema = object().put(TYPE, "string");
        ArrayNode words = schema.putArray("enum");
        for (Object constant : type.getEnumConstants()) {
            words.add(RecordJson.word((Enum<?>) constant));
        }
        return schema;
    }

    private static ObjectNode orNull(ObjectNode schema) {
        JsonNode type = schema.path(TYPE);
        if (schema.has("$ref")) {
            ObjectNode either = object();
            either.putArray("oneOf").add(object().put(TYPE, "null")).add(schema);
            return either;
        }
        if (type.isString()) {
            schema.putArray(TYPE).add(type).add("null");
        }
        if (schema.path("enum") instanceof ArrayNode words) {
            words.addNull();
        }
        return schema;
    }

    private static ObjectNode described(ObjectNode schema, String description) {
        return description.isEmpty() ? schema : schema.put(DESCRIPTION, description);
    }

    private static ObjectNode reference(String name) {
        return object().put("$ref", REFERENCE + name);
    }

    private static ObjectNode read(String facets) {
        return (ObjectNode) FACETS.readTree("{" + facets + "}");
    }

    private static ObjectNode object() {
        return JsonMapper.shared().createObjectNode();
    }
}
