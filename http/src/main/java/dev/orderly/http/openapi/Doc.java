package dev.orderly.http.openapi;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** What the OpenAPI document says of a record, or of a component of one, beside what its type says. */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.RECORD_COMPONENT})
public @interface Doc {
    /** The description, in sentences; empty for none. */
    String value() default "";

    /** The name of a record's schema, to which others refer; empty for a schema that is written where it is used. */
    String name() default "";

    /**
     * Further keywords of JSON Schema: the members of an object, names without quotes, texts in single quotes, such as
     * {@code minimum: 1, pattern: '^[a-z]+$'}.
     */
    String facets() default "";
}
