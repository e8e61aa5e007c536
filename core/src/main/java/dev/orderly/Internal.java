package dev.orderly;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A package, or a type, for its own module and the modules that are named here. Such public types are no API: they
 * change with any version, without notice. A test of the architecture holds this, as the qualified exports of a module
 * descriptor would.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.PACKAGE, ElementType.TYPE})
public @interface Internal {
    /** Packages of other modules that may use it too, with the packages below them. */
    String[] to() default {};
}
