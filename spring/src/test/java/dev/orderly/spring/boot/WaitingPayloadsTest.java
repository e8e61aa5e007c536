package dev.orderly.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.Orderly;
import dev.orderly.Store;
import dev.orderly.job.JobState;
import dev.orderly.job.Payload;
import dev.orderly.job.PushRequest;
import dev.orderly.job.QueueName;
import dev.orderly.job.StandardQueue;
import dev.orderly.job.payload.PayloadTypes;
import dev.orderly.spring.JobHandler;
import dev.orderly.spring.StartRefusedException;
import dev.orderly.testkit.MemoryStore;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The start of a version whose types do not read all that an earlier version has pushed. */
@ExtendWith(OutputCaptureExtension.class)
class WaitingPayloadsTest {
    private final MemoryStore store = new MemoryStore();
    private final ApplicationContextRunner later = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(OrderlyAutoConfiguration.class))
            .withBean(Store.class, store::beside).withUserConfiguration(Later.class)
            .withPropertyValues("orderly.handlers.enabled=false");

    record Invoice(String number, String currency) {}

    interface OrderEvent {}

    record OrderPaid(String order) implements OrderEvent {}

    record OrderSent(String order) implements OrderEvent {}

    @Configuration(proxyBeanMethods = false)
    static class Later {
        @Bean
        StandardQueue<OrderEvent> orders(Orderly orderly) {
            return orderly.queue("orders", PayloadTypes.of(OrderEvent.class).kind("order-sent", OrderSent.class));
        }

        @JobHandler("invoices")
        void send(Invoice invoice) {}

        @JobHandler("notes")
        void note(String note) {}
    }

    @BeforeEach
    void pushByAnEarlierVersion() {
        try (Orderly earlier = Orderly.open(store.beside())) {
            earlier.queue("invoices", Payload.class);
            for (int n = 0; n < 3; n++) {
                earlier.jobs().push(PushRequest.of("invoices", Payload.json("{\"number\":\"" + n + "\"}")));
            }
            StandardQueue<OrderEvent> orders = earlier.queue("orders", PayloadTypes.of(OrderEvent.class)
                    .kind("order-paid", OrderPaid.class).kind("order-sent", OrderSent.class));
            orders.pushAll(List.of(new OrderSent("1"), new OrderPaid("2")));
            earlier.queue("notes", String.class).push("Read by all versions");
        }
    }

    private static StartRefusedException refusal(@Nullable Throwable failure) {
        Throwable cause = Objects.requireNonNull(failure);
        while (!(cause instanceof StartRefusedException)) {
            cause = Objects.requireNonNull(cause.getCause(), "no refusal");
        }
        return (StartRefusedException) cause;
    }

    @Test
    void aStartThatFailsNamesQueuesFieldsKindsAndTheRemedy() {
        later.withPropertyValues("orderly.payloads.check-at-start=fail").run(context -> {
            StartRefusedException refused = refusal(context.getStartupFailure());
            assertThat(refused).hasMessageContaining("\n  queue invoices: 3 of the 3 that wait\n    job ")
                    .hasMessageContaining("currency").hasMessageContaining("\n  queue orders: 1 of the 2 that wait")
                    .hasMessageContaining("is of kind order-paid, and this version knows [order-sent]")
                    .hasMessageNotContaining("queue notes");
            assertThat(refused.remedy()).contains("rename").contains("orderly.payloads.check-at-start: warn");
        });
    }

    @Test
    void aWarningLetsTheApplicationStart(CapturedOutput log) {
        later.withPropertyValues("orderly.payloads.check-at-start=warn", "orderly.payloads.checked=1").run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(log).contains("queue invoices: 1 of the 1 oldest, and more wait").doesNotContain(
                    "queue orders: 1 of the 1");
        });
    }

    @Test
    void withoutThePropertyNothingIsReadAndWhatIsReadableIsNoProblem() {
        later.run(context -> assertThat(context).hasNotFailed());
        later.withPropertyValues("orderly.payloads.check-at-start=off").run(context -> assertThat(context)
                .hasNotFailed());
        try (Orderly operator = Orderly.open(store.beside())) {
            for (String queue : List.of("invoices", "orders")) {
                operator.jobs().list(new QueueName(queue), JobState.WAITING, null, 9)
                        .forEach(job -> operator.jobs().cancel(job.id()));
            }
        }
        later.withPropertyValues("orderly.payloads.check-at-start=fail").run(context -> assertThat(context)
                .hasNotFailed());
    }

    @Test
    void theNumberOfReadPayloadsIsBounded() {
        later.withPropertyValues("orderly.payloads.checked=0").run(context -> assertThat(
                refusal(context.getStartupFailure()))
                .hasMessageContaining("orderly.payloads.checked = 0: It has to be a"
                        + " whole number, 1 to 10000"));
    }
}
