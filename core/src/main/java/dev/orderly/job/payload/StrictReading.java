package dev.orderly.job.payload;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.io.Serial;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Executable;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.AnnotationIntrospector;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.AnnotatedMember;
import tools.jackson.databind.introspect.AnnotatedParameter;
import tools.jackson.databind.introspect.NopAnnotationIntrospector;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

/**
 * Reading that leaves nothing out in silence. A record component, or a parameter of a creator, that the JSON lacks is
 * an error, and so is a primitive field of a bean, except:
 *
 * <ul><li>its type is {@code Optional}, or an annotation named {@code Nullable} is on it (on the type or on the
 * declaration, kept at run time, such as JSpecify's);
 * <li>a default is declared: {@code @JsonProperty(defaultValue = "…")} with the value as JSON or text, or for a bean a
 * value other than zero from its constructor;
 * <li>Jackson leaves such values out when it writes them ({@code @JsonInclude}, or the mapper's default).
 * </ul>
 *
 * <p>A field with an explicit null counts as present. Other fields of beans keep what their constructor gave them.
 */
final class StrictReading extends NopAnnotationIntrospector {
    @Serial
    private static final long serialVersionUID = 1;
    private static final Set<Class<?>> OPTIONAL = Set.of(Optional.class, OptionalInt.class, OptionalLong.class,
            OptionalDouble.class);

    private StrictReading() {}

    /** The same mapper, reading strictly. */
    static JsonMapper of(JsonMapper json) {
        AnnotationIntrospector before = json.deserializationConfig().getAnnotationIntrospector();
        return json.rebuild().annotationIntrospector(AnnotationIntrospector.pair(new StrictReading(), before))
                .addModule(new SimpleModule("orderly-payloads").setDeserializerModifier(new DefaultValues())).build();
    }

    @Override
    public @Nullable Boolean hasRequiredMarker(MapperConfig<?> config, AnnotatedMember member) {
        if (!(member instanceof AnnotatedParameter parameter)) {
            return null;
        }
        boolean mayLack = OPTIONAL.contains(parameter.getRawType()) || isNullable(parameter)
                || isLeftOut(config, parameter) || defaultOf(parameter) != null;
        return mayLack ? null : Boolean.TRUE;
    }

    private static boolean isLeftOut(MapperConfig<?> config, AnnotatedParameter parameter) {
        JsonInclude.Value mapper = config.getDefaultPropertyInclusion();
        JsonInclude own = parameter.getAnnotation(JsonInclude.class);
        JsonInclude type = parameter.getDeclaringClass().getAnnotation(JsonInclude.class);
        return isLeftOut(mapper == null ? null : mapper.getValueInclusion(), parameter)
                || (own != null && isLeftOut(own.value(), parameter))
                || (type != null && isLeftOut(type.value(), parameter));
    }

    private static boolean isLeftOut(JsonInclude.@Nullable Include when, AnnotatedParameter parameter) {
        return switch (when) {
            case null -> false;
            case ALWAYS, USE_DEFAULTS -> false;
            case NON_NULL, NON_ABSENT, NON_EMPTY -> !parameter.getRawType().isPrimitive();
            case NON_DEFAULT, CUSTOM -> true;
        };
    }

    private static boolean isNullable(AnnotatedParameter parameter) {
        AnnotatedElement member = parameter.getOwner().getAnnotated();
        if (!(member instanceof Executable executable)) {
            return false;
        }
        int index = parameter.getIndex();
        AnnotatedType[] types = executable.getAnnotatedParameterTypes();
        Annotation[][] declared = executable.getParameterAnnotations();
        return (index < types.length && isNullable(types[index].getAnnotations()))
                || (index < declared.length && isNullable(declared[index]))
                || isNullableComponent(parameter, index);
    }

    /** Annotations of components whose targets leave out parameters. */
    private static boolean isNullableComponent(AnnotatedParameter parameter, int index) {
        Class<?> owner = parameter.getDeclaringClass();
        return owner.isRecord() && index < owner.getRecordComponents().length
                && owner.getRecordComponents()[index].getType().equals(parameter.getRawType())
                && isNullable(owner.getRecordComponents()[index].getAnnotations());
    }

    private static boolean isNullable(Annotation[] annotations) {
        return Stream.of(annotations).anyMatch(each -> each.annotationType().getSimpleName().equals("Nullable"));
    }

    /** The declared default of a property; null for none. */
    static @Nullable String defaultOf(AnnotatedMember member) {
        JsonProperty property = member.getAnnotation(JsonProperty.class);
        return property == null || property.defaultValue().isEmpty() ? null : property.defaultValue();
    }
}
