package dev.orderly.http.openapi;

import dev.orderly.job.JobId;
import dev.orderly.job.Priority;
import dev.orderly.room.VisitorId;
import dev.orderly.web.message.Response;
import java.util.Locale;
import java.util.Set;
import java.util.function.BiConsumer;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.std.ToStringSerializer;

/** Writes records as the JSON that {@link JsonSchemas} describes: components in their order, words in lower case. */
public final class RecordJson {
    /** Values of the core that are written as their text. */
    static final Set<Class<?>> TEXTS = Set.of(JobId.class, VisitorId.class);

    private static final JsonMapper MAPPER = mapper();

    private RecordJson() {}

    public static byte[] bytes(Object value) {
        return MAPPER.writeValueAsBytes(value);
    }

    public static Response answer(int status, Object value) {
        return Response.json(status, bytes(value));
    }

    public static Response ok(Object value) {
        return answer(200, value);
    }

    /** A constant in the spelling of the configuration and the API, such as {@code group-held}. */
    public static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static JsonMapper mapper() {
        SimpleModule module = new SimpleModule()
                .addSerializer(Enum.class, serializer((constant, json) -> json.writeString(word(constant))))
                .addSerializer(Priority.class, serializer((each, json) -> json.writeNumber(each.number())));
        TEXTS.forEach(type -> module.addSerializer(type, ToStringSerializer.instance));
        return JsonMapper.builder().disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY).addModule(module).build();
    }

    private static <T> ValueSerializer<T> serializer(BiConsumer<T, JsonGenerator> write) {
        return new ValueSerializer<>() {
            @Override
            public void serialize(T value, JsonGenerator json, SerializationContext context) {
                write.accept(value, json);
            }
        };
    }
}
