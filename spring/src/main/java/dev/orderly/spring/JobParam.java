package dev.orderly.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * An argument of a {@link JobHandler} with a param of the job: a {@code String}, or {@code Optional<String>}, or
 * {@code @Nullable String} for a param that may be absent; without a name a {@code Map<String, String>} with all of
 * them. A job without a required param becomes a dead letter.
 */
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface JobParam {
    /** The name of the param; empty for all params. */
    String value() default "";
}
