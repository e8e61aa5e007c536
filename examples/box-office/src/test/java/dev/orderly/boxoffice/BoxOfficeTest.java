package dev.orderly.boxoffice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.job.Payload;
import dev.orderly.job.PushRequest;
import dev.orderly.job.PushResult;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BoxOfficeTest {
    private static final String FORM = "application/x-www-form-urlencoded";
    private final OpenShop shop;
    private final Browser ann;

    BoxOfficeTest() throws IOException {
        shop = new OpenShop();
        ann = shop.browser("customer-ann");
    }

    @AfterEach
    void close() {
        shop.close();
    }

    @Test
    void anOrderThatIsSentTwiceAtOnceIsChargedOnce() throws Exception {
        List<HttpResponse<String>> answers = atOnce(IntStream.range(0, 2)
                .<Callable<HttpResponse<String>>>mapToObj(_ -> () -> ann.buy("tin", "order-1", "ann@example.com"))
                .toList());

        assertThat(answers).allSatisfy(answer -> {
            assertThat(answer.statusCode()).isEqualTo(303);
            assertThat(answer.headers().firstValue("Location")).contains("/orders/order-1");
        });
        assertThat(shop.awaitOrder("order-1", "You are going!")).contains("arrived 2 times");
        assertThat(shop.outside.charged).containsExactly("order-1");
        assertThat(shop.outside.sent).containsExactly("ann@example.com");
        assertThat(shop.jobs(OpenShop.CHECKOUTS, JobState.DONE)).hasSize(1);
    }

    @Test
    void theDoubleClickButtonSendsTheOrderTwiceAndIsChargedOnce() {
        Map<String, String> form = Browser.form("order-1", "ann@example.com");
        form.put("clicks", "2");
        ann.post("/tickets/tin", form);

        assertThat(shop.awaitOrder("order-1", "You are going!")).contains("arrived 2 times");
        assertThat(shop.outside.charged).containsExactly("order-1");
    }

    @Test
    void twoOrdersOfOneCustomerAreChargedInOrderThoughTheFirstIsRetried() {
        shop.outside.fail("order-1", 2);
        ann.buy("tin", "order-1", "ann@example.com");
        ann.buy("piano", "order-2", "ann@example.com");

        assertThat(shop.awaitOrder("order-1", "You are going!")).contains("Fails on request", "attempt 3");
        shop.awaitOrder("order-2", "You are going!");
        assertThat(shop.outside.asked).containsExactly("order-1", "order-1", "order-1", "order-2");
        assertThat(shop.outside.charged).containsExactly("order-1", "order-2");
        assertThat(ann.get("/tickets/tin").body()).as("a retried order keeps its seat")
                .contains("599 of 600 seats left");
    }

    @Test
    void aRetriedOrderDoesNotDelayAnotherCustomer() {
        shop.outside.fail("order-1", 7);
        ann.buy("tin", "order-1", "ann@example.com");
        shop.browser("customer-bob").buy("tin", "order-2", "bob@example.com");

        shop.awaitOrder("order-2", "You are going!");
        assertThat(shop.outside.charged).containsExactly("order-2");
    }

    @Test
    void failedMailsAreRetriedAndEndAsSentOrAsDeadLetters() {
        shop.outside.fail("ann@example.com", 2);
        ann.buy("tin", "order-1", "ann@example.com");
        ann.buy("tin", "order-2", "ann@nowhere.invalid");

        assertThat(shop.awaitOrder("order-1", "You are going!")).contains("Fails on request (attempt 2)");
        assertThat(shop.awaitOrder("order-2", "Correct the address")).contains("550 No such address");
        assertThat(shop.jobs(OpenShop.MAILS, JobState.DEAD)).singleElement()
                .satisfies(job -> assertThat(Objects.requireNonNull(job.failure()).summary())
                        .isEqualTo("550 No such address: ann@nowhere.invalid"));
        assertThat(ann.get("/behind-the-scenes").body()).contains("550 No such address: ann@nowhere.invalid");
    }

    @Test
    void aDeadLetterIsSentAfterItsAddressIsCorrected() {
        ann.buy("tin", "order-1", "ann@nowhere.invalid");
        shop.awaitOrder("order-1", "Correct the address");

        ann.post("/behind-the-scenes/redrive", Map.of());
        await().until(() -> !shop.jobs(OpenShop.MAILS, JobState.DEAD).isEmpty());
        assertThat(shop.outside.sent).as("redriven as it is, it comes back").isEmpty();

        assertThat(ann.post("/orders/order-1/address", Map.of("mail", "no address")).statusCode()).isEqualTo(422);
        assertThat(ann.post("/orders/order-1/address", Map.of("mail", "ann@example.com")).statusCode()).isEqualTo(303);
        shop.awaitOrder("order-1", "You are going!");
        assertThat(shop.outside.sent).containsExactly("ann@example.com");
        assertThat(shop.outside.charged).containsExactly("order-1");
        assertThat(ann.post("/orders/order-1/address", Map.of("mail", "ann@example.com")).statusCode())
                .as("no dead letter is left").isEqualTo(409);
    }

    @Test
    void noSeatIsSoldTwiceToFiveHundredBuyersAtOnce() throws Exception {
        List<HttpResponse<String>> answers = atOnce(IntStream.range(0, 500)
                .<Callable<HttpResponse<String>>>mapToObj(buyer -> () -> shop.browser("customer-" + buyer)
                        .buy("lanterns", "order-" + buyer, "buyer" + buyer + "@example.com"))
                .toList());
        assertThat(answers).allSatisfy(answer -> assertThat(answer.statusCode()).isEqualTo(303));

        await().atMost(Duration.ofMinutes(2)).until(() -> shop.jobs(OpenShop.CHECKOUTS, JobState.DONE).size() == 500);
        List<String> seats = shop.jobs(OpenShop.CHECKOUTS, JobState.DONE).stream().map(JobView::result)
                .filter(Objects::nonNull).map(Payload::asText).toList();
        assertThat(seats).hasSize(240).doesNotHaveDuplicates();
        assertThat(shop.outside.charged).hasSize(240).doesNotHaveDuplicates();
        assertThat(ann.get("/").body()).contains("Sold out");
    }

    @Test
    void inACrowdOfAThousandOrdersNoneOvertakesAnother() {
        assertThat(ann.post("/behind-the-scenes/rush", Map.of()).statusCode()).isEqualTo(303);

        String page = await().atMost(Duration.ofMinutes(2)).until(() -> ann.get("/behind-the-scenes").body(),
                body -> body.contains("<strong>1,000</strong> of 1,000 through"));
        assertThat(page).contains("<strong>0</strong> overtook");
        assertThat(shop.outside.charged).hasSize(1_000).doesNotHaveDuplicates();
        for (int customer = 1; customer <= 100; customer++) {
            String prefix = "crowd-1-" + customer + "-";
            assertThat(shop.outside.charged.stream().filter(order -> order.startsWith(prefix)))
                    .containsExactlyElementsOf(IntStream.rangeClosed(1, 10).mapToObj(n -> prefix + n).toList());
        }
    }

    @Test
    void anOrderNumberOfAnotherCustomerIsRefusedAndNotCharged() {
        ann.buy("tin", "order-1", "ann@example.com");
        shop.awaitOrder("order-1", "You are going!");

        assertThat(shop.browser("customer-bob").buy("tin", "order-1", "bob@example.com").statusCode()).isEqualTo(409);
        await().until(() -> shop.jobs(OpenShop.CHECKOUTS, JobState.CANCELLED).size() == 1);
        assertThat(shop.outside.charged).containsExactly("order-1");
        assertThat(ann.get("/orders/order-1").body()).doesNotContain("bob@example.com");
    }

    @Test
    void theCommandsOfTheGuideWork() {
        String guide = BoxOffice.guide(8080, 8081, "/login/code");
        assertThat(guide).contains("http://127.0.0.1:8080/behind-the-scenes", "http://127.0.0.1:8081/api/v1/queues");
        Matcher order = Pattern.compile("group=(\\S+)&dedupe=(\\S+?)'[^']*-d '([^']+)'", Pattern.DOTALL).matcher(guide);
        assertThat(order.find()).isTrue();
        PushRequest request = PushRequest.of("checkout.fifo", new Payload(FORM, order.group(3).getBytes(
                StandardCharsets.UTF_8))).withGroup(order.group(1)).withDedupeId(order.group(2));

        assertThat(shop.orderly.jobs().push(request)).isInstanceOf(PushResult.Accepted.class);
        assertThat(shop.orderly.jobs().push(request)).isInstanceOf(PushResult.Duplicate.class);
        shop.awaitOrder(order.group(2), "Correct the address");
        assertThat(shop.jobs(OpenShop.MAILS, JobState.DEAD)).hasSize(1);
    }

    @Test
    void aPayloadThatBreaksARuleOfTheFormIsADeadLetterWithTheRule() {
        shop.orderly.jobs().push(PushRequest.of("checkout.fifo", Payload.json("""
                {"order":"order-1","show":"tin","tickets":99,"name":"Ann","mail":"ann@example.com"}"""))
                .withGroup("a"));

        await().until(() -> shop.jobs(OpenShop.CHECKOUTS, JobState.DEAD).size() == 1);
        assertThat(Objects.requireNonNull(shop.jobs(OpenShop.CHECKOUTS, JobState.DEAD).getFirst().failure()).summary())
                .contains("Choose 1 to 6 tickets");
    }

    private static <T> List<T> atOnce(List<Callable<T>> calls) throws InterruptedException, ExecutionException {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<T>> futures = threads.invokeAll(calls);
            List<T> results = new ArrayList<>();
            for (Future<T> future : futures) {
                results.add(future.get());
            }
            return results;
        }
    }
}
