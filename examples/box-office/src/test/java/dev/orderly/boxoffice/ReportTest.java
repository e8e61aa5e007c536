package dev.orderly.boxoffice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReportTest {
    private final OpenShop shop = new OpenShop();

    ReportTest() throws IOException {}

    @AfterEach
    void close() {
        shop.close();
    }

    @Test
    void theReportRunsByAButtonAndIsShownWithItsNextInstant() {
        Browser ann = shop.browser("customer-ann");
        assertThat(ann.get("/behind-the-scenes").body()).contains("It has not run yet", "daily at 03:00", "03:00 UTC");
        ann.buy("tin", "order-1", "ann@example.com");
        shop.awaitOrder("order-1", "You are going!");

        assertThat(ann.post("/behind-the-scenes/report", Map.of()).headers().firstValue("Location"))
                .contains("/behind-the-scenes#report");
        String page = await().atMost(Duration.ofSeconds(60)).until(() -> ann.get("/behind-the-scenes").body(),
                body -> body.contains("Taken in"));
        assertThat(page).contains("<dt>Orders</dt><dd>1</dd>", "<dt>Paid</dt><dd>1</dd>", "<dt>Tickets</dt><dd>1</dd>")
                .doesNotContain("It has not run yet");
        Markup.check(page);
    }
}
