package dev.orderly.springtest;

import dev.orderly.spring.config.OrderlyProperties.Foreign;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.PropertyMapping;

/**
 * Puts the application's jobs into memory and its time into the hands of the test: for a test class with
 * {@code @SpringBootTest}. {@link dev.orderly.testkit.harness.OrderlyHarness}, {@link dev.orderly.testkit.ManualTime}
 * and {@link dev.orderly.testkit.harness.PushRecorder} are beans.
 *
 * <p>After each test the jobs that are left are cancelled, and the list of pushes starts anew, so that tests can share
 * an application context. Time goes on from where it is.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ImportAutoConfiguration
@PropertyMapping("orderly.transactions")
public @interface AutoConfigureOrderlyHarness {
    /**
     * What happens to a push inside {@code @Transactional}, of which a store in memory cannot be part. By default the
     * job is stored at once, and stays if the transaction is rolled back: whether a rollback takes the push with it is
     * for a test on PostgreSQL.
     */
    Foreign foreign() default Foreign.PUSH_AT_ONCE;
}
