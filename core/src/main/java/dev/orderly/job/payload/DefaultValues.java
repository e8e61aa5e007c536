package dev.orderly.job.payload;

import java.io.Serial;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.BeanDeserializerBuilder;
import tools.jackson.databind.deser.NullValueProvider;
import tools.jackson.databind.deser.SettableBeanProperty;
import tools.jackson.databind.deser.ValueDeserializerModifier;
import tools.jackson.databind.deser.ValueInstantiator;
import tools.jackson.databind.introspect.AnnotatedMember;
import tools.jackson.databind.introspect.BeanPropertyDefinition;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.util.AccessPattern;
import tools.jackson.databind.util.ClassUtil;

/** Gives missing components their declared defaults, and makes beans read their primitive fields strictly. */
final class DefaultValues extends ValueDeserializerModifier {
    @Serial
    private static final long serialVersionUID = 1;

    @Override
    public BeanDeserializerBuilder updateBuilder(DeserializationConfig config, BeanDescription.Supplier type,
            BeanDeserializerBuilder builder) {
        ValueInstantiator before = builder.getValueInstantiator();
        if (before != null && before.canCreateFromObjectWith() && before.getClass().getName().startsWith("tools.")) {
            builder.setValueInstantiator(new WithDefaults(before));
        }
        return builder;
    }

    @Override
    public ValueDeserializer<?> modifyDeserializer(DeserializationConfig config, BeanDescription.Supplier type,
            ValueDeserializer<?> deserializer) {
        if (type.isRecordType() || config.isEnabled(MapperFeature.ACCEPT_CASE_INSENSITIVE_PROPERTIES)) {
            return deserializer;
        }
        List<BeanPropertyDefinition> primitives = type.get().findProperties().stream()
                .filter(each -> each.getRawPrimaryType().isPrimitive() && each.getMutator() != null
                        && !each.hasConstructorParameter())
                .toList();
        if (primitives.isEmpty()) {
            return deserializer;
        }
        Object fresh = fresh(config, type.getBeanClass());
        List<StrictBeans.Required> required = new ArrayList<>();
        for (BeanPropertyDefinition each : primitives) {
            if (StrictReading.defaultOf(Objects.requireNonNull(each.getMutator())) == null
                    && !hasValue(config, each, fresh)) {
                required.add(new StrictBeans.Required(each.getName(),
                        each.findAliases().stream().map(alias -> alias.getSimpleName()).toList()));
            }
        }
        return required.isEmpty() ? deserializer : new StrictBeans(deserializer, required);
    }

    private static @Nullable Object fresh(DeserializationConfig config, Class<?> type) {
        try {
            return ClassUtil.createInstance(type, config.canOverrideAccessModifiers());
        } catch (RuntimeException _) {
            return null;
        }
    }

    /** Whether the constructor gives a primitive field a value other than zero. */
    private static boolean hasValue(DeserializationConfig config, BeanPropertyDefinition property,
            @Nullable Object fresh) {
        AnnotatedMember accessor = property.hasField() ? property.getField() : property.getGetter();
        if (fresh == null || accessor == null) {
            return false;
        }
        try {
            accessor.fixAccess(config.isEnabled(MapperFeature.OVERRIDE_PUBLIC_ACCESS_MODIFIERS));
            Object value = accessor.getValue(fresh);
            return !(value instanceof Number number && number.doubleValue() == 0) && !Boolean.FALSE.equals(value)
                    && !Objects.equals(value, '\0');
        } catch (RuntimeException _) {
            return false;
        }
    }

    /** Creator properties whose absent values are the declared defaults. */
    private static final class WithDefaults extends ValueInstantiator.Delegating {
        @Serial
        private static final long serialVersionUID = 1;

        WithDefaults(ValueInstantiator before) {
            super(before);
        }

        @Override
        public SettableBeanProperty[] getFromObjectArguments(DeserializationConfig config) {
            SettableBeanProperty[] before = super.getFromObjectArguments(config);
            if (before == null) {
                return before;
            }
            SettableBeanProperty[] all = before.clone();
            for (int n = 0; n < all.length; n++) {
                String text = StrictReading.defaultOf(all[n].getMember());
                all[n] = text == null ? all[n] : all[n].withNullProvider(new Declared(text, all[n].getType()));
            }
            return all;
        }
    }

    /** A declared default. An explicit null stays null. */
    private record Declared(String text, JavaType type) implements NullValueProvider {
        @Override
        public Object getAbsentValue(DeserializationContext context) {
            return context.readTreeAsValue(tree(), type);
        }

        private JsonNode tree() {
            try {
                return type.hasRawClass(String.class)
                        ? JsonMapper.shared().getNodeFactory().stringNode(text)
                        : JsonMapper.shared().readTree(text);
            } catch (JacksonException _) {
                return JsonMapper.shared().getNodeFactory().stringNode(text);
            }
        }

        @Override
        public @Nullable Object getNullValue(DeserializationContext context) {
            return type.isPrimitive()
                    ? context.reportInputMismatch(type, "Cannot read null as %s", type.toCanonical())
                    : null;
        }

        @Override
        public AccessPattern getNullAccessPattern() {
            return AccessPattern.DYNAMIC;
        }
    }
}
