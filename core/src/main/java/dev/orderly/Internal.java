package dev.orderly;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A package that only its own module may use, and those that are named here. Its public types are no API: they change
 * with any version, without notice. A test of the architecture holds this, as the qualified exports of a module
 * descriptor would.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.PACKAGE)
public @interface Internal {
    /** Packages of other modules, with what is below them, that may use it too. */
    String[] to() default {};
}
