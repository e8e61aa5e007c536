package dev.orderly.springtest;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.autoconfigure.OverrideAutoConfiguration;
import org.springframework.boot.test.context.filter.annotation.TypeExcludeFilters;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.core.annotation.AliasFor;
import org.springframework.test.context.BootstrapWith;
import org.springframework.test.context.junit.jupiter.SpringExtension;

/**
 * A test of an application's handlers and schedules, and of nothing else: of its components only those with
 * {@link dev.orderly.spring.JobHandler} or {@link dev.orderly.spring.OrderlySchedule} methods are beans, and of the
 * automatic configuration only that of Orderly and of JSON. What else they need is {@code @Import}ed or mocked.
 *
 * {@snippet :
 * @OrderlyTest
 * class MailerTest {
 *     @MockitoBean
 *     MailServer server;
 *     @Autowired
 *     StandardQueue<Mail> mails;
 *     @Autowired
 *     OrderlyHarness harness;
 *
 *     @Test
 *     void aMailIsSentAgainUntilTheServerTakesIt() {
 *         doThrow(new IllegalStateException("busy")).doNothing().when(server).send(any());
 *         JobId id = mails.push(new Mail("ada@example.com"));
 *         harness.advance(Duration.ofMinutes(10));
 *         assertThat(harness.job(id).state()).isEqualTo(JobState.DONE);
 *     }
 * }
 * }
 *
 * <p>Otherwise as {@link AutoConfigureOrderlyHarness} says.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@BootstrapWith(OrderlyTestBootstrapper.class)
@ExtendWith(SpringExtension.class)
@OverrideAutoConfiguration(enabled = false)
@TypeExcludeFilters(OrderlyTypeExcludeFilter.class)
@AutoConfigureOrderlyHarness
@ImportAutoConfiguration
public @interface OrderlyTest {
    /** Properties of the application, as {@code name=value}. */
    String[] properties() default {};

    /** Whether components with handlers and schedules are beans. */
    boolean useDefaultFilters() default true;

    /** Further components that are beans. */
    Filter[] includeFilters() default {};

    /** Components that are no beans. */
    Filter[] excludeFilters() default {};

    /** Automatic configurations to leave out. */
    @AliasFor(annotation = ImportAutoConfiguration.class, attribute = "exclude")
    Class<?>[] excludeAutoConfiguration() default {};
}
