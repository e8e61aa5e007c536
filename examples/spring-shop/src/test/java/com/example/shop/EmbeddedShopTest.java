package com.example.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.job.JobState;
import dev.orderly.web.browser.Chromium;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** The shop on two SQLite files, as it starts by itself. */
class EmbeddedShopTest extends ShopScenes {
    @DynamicPropertySource
    static void files(DynamicPropertyRegistry properties) throws IOException {
        Path folder = Files.createTempDirectory(Path.of("target"), "shop");
        properties.add("spring.datasource.url", () -> "jdbc:sqlite:" + folder.resolve("shop.db")
                + "?journal_mode=WAL&busy_timeout=5000&transaction_mode=IMMEDIATE");
        properties.add("orderly.store", () -> "sqlite:" + folder.resolve("orderly.db"));
    }

    private HttpResponse<String> get(String path, String accept) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(HttpRequest.newBuilder(URI.create(url(path))).header("Accept", accept).build(),
                    BodyHandlers.ofString());
        }
    }

    @Test
    void oneVisitorIsInTheSaleAndTheNextOneWaitsUntilItLeaves() throws IOException {
        Chromium first = browser();
        try (Chromium second = Chromium.start()) {
            first.open(url("/sale"));
            assertThat(first.text("h1")).isEqualTo("Moon jar");
            second.open(url("/products/mug"));
            assertThat(second.text("h1")).as("only one path has a room").isEqualTo("Tall mug");
            second.open(url("/sale"));
            soon(() -> assertThat(second.text("body")).contains("The kiln opening", "You are next"));

            first.find("form[action='/sale/leave'] button").click();
            soon(() -> assertThat(second.text("h1")).isEqualTo("Moon jar"));
            first.open(url("/sale"));
            soon(() -> assertThat(first.text("body")).contains("You are next"));
            buy(second, "/sale", Card.ACCEPTED);
            soon(() -> assertThat(first.text("h1")).as("a purchase ends the visit").isEqualTo("Moon jar"));
            first.find("form[action='/sale/leave'] button").click();
        }
    }

    @Test
    void withoutScriptsTheShopWorksByLoadingThePageAgain() {
        Chromium browser = browser();
        browser.script(false);
        buy(browser, "/products/mug", Card.ACCEPTED);
        soon(() -> {
            browser.find("noscript a").click();
            assertThat(browser.text("#news")).contains("Your parcel is on its way");
        });
        browser.script(true);
    }

    @Test
    void ordersAndTheDashboardAreClosedToOthers() throws Exception {
        Order order = place();
        assertThat(get("/orders/" + order.id(), "text/html").statusCode()).isEqualTo(404);
        assertThat(get("/.orderly/live", "text/event-stream").statusCode()).isEqualTo(401);
        HttpResponse<String> dashboard = get("/ops/queues", "text/html");
        assertThat(dashboard.statusCode()).isEqualTo(302);
        assertThat(dashboard.headers().firstValue("Location").orElseThrow()).endsWith("/login");
    }

    @Test
    void theJobsOfARolledBackCheckoutAreDiscardedSinceTheFileStoresThemAtOnce() {
        Order order = rolledBack();
        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> assertThat(jobs(order)).hasSize(3)
                .contains(JobState.CANCELLED).doesNotContain(JobState.DONE, JobState.DEAD));
    }
}
