package dev.orderly.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.orderly.job.FifoQueue;
import dev.orderly.job.JobState;
import dev.orderly.job.Payload;
import dev.orderly.job.PushRequest;
import dev.orderly.job.StandardQueue;
import dev.orderly.job.payload.PayloadChanges;
import dev.orderly.job.payload.PayloadTypes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of the section "Payloads that change" of docs/java.md, compiled and run. */
class PayloadChangesPageTest extends EngineTest {
    record Invoice(String number,
            @Nullable String note,
            Optional<String> reference,
            @JsonProperty(defaultValue = "EUR") String currency) {}

    sealed interface OrderEvent permits OrderPaid, OrderSent {}

    record OrderPaid(String order) implements OrderEvent {}

    record OrderSent(String order, String address) implements OrderEvent {}

    @Test
    void changesAreDeclaredWhereTheQueueIs() {
        StandardQueue<Invoice> invoices = orderly.queue("invoices", PayloadTypes.of(Invoice.class)
                .changed(PayloadChanges.NONE
                        .rename("no", "number")
                        .byDefault("currency", "EUR")
                        .upcast(json -> json.has("address")
                                ? json
                                : json.put("address", json.path("street").asString()))));
        Queue<Invoice> ran = new ConcurrentLinkedQueue<>();
        orderly.handle(invoices, (invoice, _) -> ran.add(invoice));
        orderly.start();
        awaitState(orderly.jobs().push(PushRequest.of("invoices", Payload.json("{\"no\":\"7\",\"street\":\"High\"}")))
                .id(), JobState.DONE);
        assertThat(ran).containsExactly(new Invoice("7", null, Optional.empty(), "EUR"));
    }

    @Test
    void kindsHaveNames(@TempDir Path folder) {
        FifoQueue<OrderEvent> events = orderly.fifo("orders.fifo", PayloadTypes.of(OrderEvent.class)
                .kind("order-paid", OrderPaid.class)
                .kind("order-sent", OrderSent.class, PayloadChanges.NONE.rename("to", "address"))
                .alias("order-shipped", "order-sent")
                .withoutKind("order-paid"));
        events.group("7").push(new OrderSent("7", "High Street"));
        orderly.jobs().push(PushRequest.of("orders.fifo", Payload.json("{\"order\":\"8\"}")).withGroup("8"));
        orderly.jobs().payloads().waiting(10_000).orThrow();
        Path file = folder.resolve("samples.ndjson");
        orderly.jobs().payloads().keep(file, 100);
        assertThat(file).content().hasLineCount(2);
        orderly.jobs().payloads().samples(file).orThrow();
    }

    @Test
    void theExamplesOfThePageAreThese() throws Exception {
        String page = Files.readString(Path.of("..", "docs", "java.md"));
        String section = page.substring(page.indexOf("## Payloads that change"), page.indexOf("## Handling"));
        String source = shortened(Files.readString(
                Path.of("src/test/java", getClass().getName().replace('.', '/') + ".java")));
        List<String> examples = new ArrayList<>();
        String[] parts = section.split("```", -1);
        for (int n = 1; n < parts.length; n += 2) {
            if (parts[n].startsWith("java")) {
                parts[n].substring("java".length()).lines().filter(line -> !line.isBlank()).forEach(examples::add);
            }
        }
        assertThat(examples).hasSizeGreaterThan(12).allSatisfy(line -> assertThat(source)
                .contains(shortened(line.replace("Path.of(\"samples.ndjson\")", "file"))));
    }

    /** Without comments and spaces. */
    private static String shortened(String code) {
        return code.lines().map(line -> line.replaceAll("(^|\\s)//.*", "").replaceAll("\\s+", ""))
                .reduce("", String::concat);
    }
}
