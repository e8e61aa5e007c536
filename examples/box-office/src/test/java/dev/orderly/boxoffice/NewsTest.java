package dev.orderly.boxoffice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.user.UserId;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Live messages to the open pages of customers about their orders. */
class NewsTest {
    private final OpenShop shop = new OpenShop();

    NewsTest() throws IOException {}

    @AfterEach
    void close() {
        shop.close();
    }

    private RecordedConnection page(String id, String customer) {
        RecordedConnection page = new RecordedConnection(id);
        assertThat(shop.orderly.engines().live().connect(new UserId(customer), page, null)).isPresent();
        return page;
    }

    private static void hears(RecordedConnection page, String order, String... statuses) {
        await().atMost(Duration.ofSeconds(90))
                .untilAsserted(() -> assertThat(page.statuses(order)).containsExactly(statuses));
    }

    @Test
    void everyPageOfACustomerGetsEachStepInOrderAndNoOtherPageGetsAny() {
        List<RecordedConnection> anns = List.of(page("1", "customer-ann"), page("2", "customer-ann"));
        RecordedConnection bobs = page("3", "customer-bob");
        shop.browser("customer-ann").buy("tin", "order-1", "ann@example.com");

        anns.forEach(page -> hears(page, "order-1", "preparing", "packaging", "shipped"));
        assertThat(anns.getFirst().received()).as("the message without a status")
                .anyMatch(message -> !message.has("status"));
        assertThat(bobs.received()).isEmpty();
    }

    @Test
    void failuresAreSentToThePageToo() {
        shop.outside.fail("order-1", 1);
        shop.outside.fail("ann@example.com", 1);
        RecordedConnection page = page("1", "customer-ann");
        shop.browser("customer-ann").buy("tin", "order-1", "ann@example.com");

        hears(page, "order-1", "preparing", "waiting for the bank", "preparing", "packaging",
                "waiting for the mail server", "shipped");
    }

    @Test
    void aCorrectedAddressIsSentToEveryPage() {
        RecordedConnection page = page("1", "customer-ann");
        Browser ann = shop.browser("customer-ann");
        ann.buy("tin", "order-1", "ann@nowhere.invalid");
        shop.awaitOrder("order-1", "Correct the address");
        ann.post("/orders/order-1/address", java.util.Map.of("mail", "ann@example.com"));

        hears(page, "order-1", "preparing", "packaging", "came back", "shipped");
    }

    @Test
    void everyJobOfAnOrderBelongsToItsCustomer() {
        shop.browser("customer-ann").buy("tin", "order-1", "ann@example.com");
        shop.awaitOrder("order-1", "You are going!");

        List.of(OpenShop.CHECKOUTS, OpenShop.MAILS).forEach(queue -> await().untilAsserted(() -> assertThat(
                shop.jobs(queue, dev.orderly.job.JobState.DONE)).singleElement()
                .satisfies(job -> assertThat(job.user()).isEqualTo(new UserId("customer-ann")))));
    }
}
