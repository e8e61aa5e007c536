package dev.orderly.job.payload;

import java.util.List;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.std.DelegatingDeserializer;

/** Reads a bean, and refuses JSON that lacks some of its primitive fields. */
final class StrictBeans extends DelegatingDeserializer {
    private final List<Required> required;

    /** A field, with its other names. */
    record Required(String name, List<String> aliases) {
        boolean isIn(JsonNode object) {
            return object.has(name) || aliases.stream().anyMatch(object::has);
        }
    }

    StrictBeans(ValueDeserializer<?> bean, List<Required> required) {
        super(bean);
        this.required = required;
    }

    @Override
    protected ValueDeserializer<?> newDelegatingInstance(ValueDeserializer<?> bean) {
        return new StrictBeans(bean, required);
    }

    @Override
    public Object deserialize(JsonParser parser, DeserializationContext context) {
        if (!parser.hasToken(JsonToken.START_OBJECT) && !parser.hasToken(JsonToken.PROPERTY_NAME)) {
            return super.deserialize(parser, context);
        }
        JsonNode object = context.readTree(parser);
        for (Required each : required) {
            if (!each.isIn(object)) {
                return context.reportPropertyInputMismatch(handledType(), each.name,
                        "Missing required primitive property '%s'", each.name);
            }
        }
        try (JsonParser again = object.traverse(context)) {
            again.nextToken();
            return super.deserialize(again, context);
        }
    }
}
