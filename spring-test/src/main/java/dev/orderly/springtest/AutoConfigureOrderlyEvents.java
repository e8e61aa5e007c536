package dev.orderly.springtest;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.PropertyMapping;

/**
 * Adds events of Spring Modulith to an {@link OrderlyTest}: components with methods that are
 * {@code @ApplicationModuleListener} are beans, their events are jobs, and events with {@code @Externalized} are pushed
 * into queues. A test of a whole application has them without this annotation.
 *
 * <p>Listeners hear of an event after the commit. Without a transaction manager of the test there is one without a
 * database, and a {@code TransactionTemplate}:
 *
 * {@snippet :
 * @Autowired
 * TransactionTemplate transaction;
 *
 * transaction.executeWithoutResult(_ -> events.publishEvent(new OrderPlaced("7")));
 * harness.drain();
 * }
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ImportAutoConfiguration
@PropertyMapping("orderly.events")
public @interface AutoConfigureOrderlyEvents {
    /** Whether components with listeners are beans, and their events are jobs. */
    boolean adopt() default true;

    /** Whether events with {@code @Externalized} are pushed into queues. */
    boolean externalize() default true;
}
