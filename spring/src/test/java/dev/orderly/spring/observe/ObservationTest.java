package dev.orderly.spring.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.Orderly;
import dev.orderly.Store;
import dev.orderly.job.StandardQueue;
import dev.orderly.spring.EngineCustomizer;
import dev.orderly.spring.JobHandler;
import dev.orderly.spring.boot.OrderlyAutoConfiguration;
import dev.orderly.spring.boot.OrderlyObservationAutoConfiguration;
import dev.orderly.testkit.ManualTime;
import dev.orderly.testkit.MemoryStore;
import dev.orderly.testkit.harness.OrderlyHarness;
import dev.orderly.testkit.harness.PushRecorder;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.transport.ReceiverContext;
import io.micrometer.observation.transport.SenderContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Observations, traces and meters of jobs. */
class ObservationTest {
    private static final String TRACE = "00-0af7651916cd43dd8448eb211c80319c-000000000000000%d-01";

    private final ManualTime time = new ManualTime();
    private final PushRecorder store = new PushRecorder(new MemoryStore(time));
    private final ObservationRegistry observations = ObservationRegistry.create();
    private final FakeTracer tracer = new FakeTracer();

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(OrderlyObservationAutoConfiguration.class,
                    OrderlyAutoConfiguration.class))
            .withBean(EngineCustomizer.class, () -> options -> options.withTime(time).withStopGrace(Duration.ZERO))
            .withBean(Store.class, () -> store).withBean(ObservationRegistry.class, () -> observations)
            .withBean(SimpleMeterRegistry.class).withBean(Mailer.class, () -> new Mailer(observations));

    static class Mailer {
        final List<String> observed = new CopyOnWriteArrayList<>();
        private final ObservationRegistry observations;

        Mailer(ObservationRegistry observations) {
            this.observations = observations;
        }

        @JobHandler(value = "mails", retry = @JobHandler.Retry(attempts = 1))
        void send(String mail) {
            observed.add(Objects.requireNonNull(observations.getCurrentObservation()).getContext().getName());
            if (mail.equals("poison")) {
                throw new IllegalStateException("secret of ada");
            }
            Orderly.current().queue("receipts", String.class).push(mail);
        }
    }

    /** What a tracer does: gives each push a span, writes it into the carrier, and reads it in an attempt. */
    private static final class FakeTracer implements ObservationHandler<Observation.Context> {
        final List<Observation.Context> ended = new CopyOnWriteArrayList<>();
        final List<String> received = new ArrayList<>();
        private int spans;

        @Override
        public void onStart(Observation.Context context) {
            if (context instanceof SenderContext<?> sent) {
                write(sent);
            } else if (context instanceof ReceiverContext<?> got) {
                received.add(String.valueOf(read(got)));
            }
        }

        private <C> void write(SenderContext<C> context) {
            context.getSetter().set(context.getCarrier(), "traceparent", TRACE.formatted(++spans));
        }

        private <C> @Nullable String read(ReceiverContext<C> context) {
            return context.getGetter().get(Objects.requireNonNull(context.getCarrier()), "traceparent");
        }

        @Override
        public void onStop(Observation.Context context) {
            ended.add(context);
        }

        @Override
        public boolean supportsContext(Observation.Context context) {
            return true;
        }
    }

    @BeforeEach
    void trace() {
        observations.observationConfig().observationHandler(tracer);
    }

    @Test
    @SuppressWarnings("unchecked")
    void aTraceGoesThroughThePushIntoTheAttemptAndOnToItsOwnPushes() {
        runner.run(context -> {
            StandardQueue<String> mails = (StandardQueue<String>) context.getBean("mails");
            Observation.createNotStarted("http", observations).observe(() -> mails.push("hello"));
            OrderlyHarness.of(context.getBean(Orderly.class), store, time).drain();

            assertThat(context.getBean(Mailer.class).observed).containsExactly(ObservedWork.ATTEMPT);
            assertThat(tracer.received).containsExactly(TRACE.formatted(1));
            assertThat(tracer.ended).extracting(Observation.Context::getName).containsExactlyInAnyOrder(
                    ObservedWork.PUSH, "http", ObservedWork.PUSH, ObservedWork.ATTEMPT);
            assertThat(tracer.ended).filteredOn(ended -> ObservedWork.PUSH.equals(ended.getName()))
                    .extracting(
                            ended -> Objects.requireNonNull(ended.getParentObservation()).getContextView().getName())
                    .containsExactlyInAnyOrder("http", ObservedWork.ATTEMPT);
        });
    }

    @Test
    @SuppressWarnings("unchecked")
    void aFailureIsNamedByItsTypeAndNeverByItsMessage() {
        runner.run(context -> {
            ((StandardQueue<String>) context.getBean("mails")).push("poison");
            OrderlyHarness.of(context.getBean(Orderly.class), store, time).drain();

            assertThat(tracer.ended).filteredOn(ended -> ObservedWork.ATTEMPT.equals(ended.getName())).singleElement()
                    .satisfies(ended -> {
                        assertThat(Objects.requireNonNull(ended.getLowCardinalityKeyValue("error.type")).getValue())
                                .isEqualTo("java.lang.IllegalStateException");
                        assertThat(ended.getError()).hasMessageNotContaining("secret").hasNoCause();
                    });
        });
    }

    @Test
    @SuppressWarnings("unchecked")
    void jobsAreCountedByTheNamesThatTheServerHas() {
        runner.run(context -> {
            StandardQueue<String> mails = (StandardQueue<String>) context.getBean("mails");
            mails.dedupe("once").push("hello");
            mails.dedupe("once").push("hello");
            mails.push("poison");
            OrderlyHarness.of(context.getBean(Orderly.class), store, time).drain();

            MeterRegistry meters = context.getBean(MeterRegistry.class);
            context.getBean(QueueGauges.class).bindTo(meters);
            assertThat(meters.get("orderly.jobs.pushed").tags("queue", "mails", "result", "accepted").counter().count())
                    .isEqualTo(2);
            assertThat(meters.get("orderly.jobs.pushed").tags("queue", "mails", "result", "duplicate").counter()
                    .count()).isEqualTo(1);
            assertThat(meters.get("orderly.jobs.settled").tags("queue", "mails", "outcome", "dead").counter().count())
                    .isEqualTo(1);
            assertThat(meters.get("orderly.jobs.run").tags("queue", "mails").timer().count()).isEqualTo(2);
            assertThat(meters.get("orderly.jobs.wait").tags("queue", "mails").timer().count()).isEqualTo(2);
            assertThat(meters.get("orderly.jobs").tags("queue", "mails", "state", "dead").gauge().value())
                    .isEqualTo(1);
        });
    }

    @Test
    void withoutRegistriesNothingIsObserved() {
        new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(
                OrderlyObservationAutoConfiguration.class, OrderlyAutoConfiguration.class))
                .withBean(Store.class, MemoryStore::new).run(context -> assertThat(context).hasNotFailed()
                        .doesNotHaveBean(SpringJobMeters.class).doesNotHaveBean(EngineCustomizer.class));
    }
}
