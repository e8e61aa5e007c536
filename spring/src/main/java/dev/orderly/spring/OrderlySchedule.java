package dev.orderly.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A method of a bean that runs at the instants of a timing, once over all nodes.
 *
 * {@snippet :
 * @OrderlySchedule(value = "daily at 07:00", zone = "Europe/Berlin", timeout = "20m")
 * void remind() {
 *     subscribers.all().forEach(mails::push);
 * }
 * }
 *
 * <p>The method takes nothing, or a {@link dev.orderly.schedule.ScheduledRun}. It blocks as long as it works; an
 * exception is the outcome of that run, and the next instant is another run. An instant is skipped while the run before
 * it has not ended, unless the timing counts from its end; of several instants that were missed the last is made up
 * for. A method may neither be private nor static.
 */
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface OrderlySchedule {
    /**
     * The timing, as {@link dev.orderly.schedule.Timing} reads it: cron fields or words such as {@code every 15
     * minutes} or {@code every 7 minutes after the end}; may have placeholders.
     */
    String value();

    /** The time zone of the timing, such as {@code Europe/Berlin}; may have placeholders. */
    String zone() default "UTC";

    /** The name in history and operations; empty for the name of the bean, a dot and the name of the method. */
    String name() default "";

    /**
     * The longest time of one run, such as {@code 20m}; empty for the shortest time between instants, at most five
     * minutes. The property {@code orderly.queues[schedule.NAME].timeout} wins.
     */
    String timeout() default "";
}
