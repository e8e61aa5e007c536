package dev.orderly.boxoffice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.JobState;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PagesTest {
    private static final String HOSTILE = "<script>alert(1)</script>\"'&amp;{}";
    private final OpenShop shop;
    private final Browser ann;

    PagesTest() throws IOException {
        shop = new OpenShop();
        ann = shop.browser("customer-ann");
    }

    @AfterEach
    void close() {
        shop.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/tickets/tin", "/orders", "/behind-the-scenes", "/orders/order-1", "/no-such-page"})
    void everyPageIsWellFormedAndLabelled(String path) {
        ann.buy("tin", "order-1", "ann@nowhere.invalid");
        shop.awaitOrder("order-1", "Correct the address");
        ann.post("/behind-the-scenes/rush", Map.of());

        HttpResponse<String> answer = ann.get(path);
        Markup.check(answer.body());
        assertThat(answer.headers().firstValue("Content-Type")).contains("text/html; charset=utf-8");
        assertThat(answer.headers().firstValue("Cache-Control")).contains("no-store");
        assertThat(answer.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
        assertThat(answer.headers().firstValue("Content-Security-Policy")).get().asString()
                .contains("default-src 'none'").doesNotContain("unsafe");
    }

    @Test
    void textOfVisitorsIsEscapedOnEveryPage() {
        Map<String, String> form = Browser.form("order-1", "<b>@example.com");
        form.put("name", HOSTILE);
        ann.post("/tickets/tin", form);
        form.put("mail", "<b>");
        String again = ann.post("/tickets/tin", form).body();

        assertThat(again).contains("&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;amp;{}").doesNotContain("<b>");
        assertThat(shop.awaitOrder("order-1", "You are going!")).contains("&lt;script&gt;").doesNotContain("<script>");
        assertThat(ann.get("/orders").body()).doesNotContain("<script>");
        Markup.check(again);
    }

    @Test
    void aFormWithMistakesIsReturnedFilledInWithEachMistake() {
        HttpResponse<String> answer = ann.post("/tickets/tin",
                Map.of("order", "order-1", "tickets", "7", "name", " ", "mail", "ann@nowhere"));

        assertThat(answer.statusCode()).isEqualTo(422);
        assertThat(answer.body()).contains("Choose 1 to 6 tickets.", "Enter the name for the ticket.",
                "Enter an address such as ann@example.com.", "value=\"ann@nowhere\"", "value=\"order-1\"",
                "aria-describedby=\"name-problem\"", "class=\"problems\" role=\"alert\" tabindex=\"-1\" autofocus>");
        Markup.check(answer.body());
        assertThat(ann.get("/orders/order-1").statusCode()).isEqualTo(404);
    }

    @Test
    void anOrderHasAHeadingBesideItsLiveRegionAndABouncedMailIsShownAsOne() {
        ann.buy("tin", "order-1", "ann@nowhere.invalid");

        assertThat(shop.awaitOrder("order-1", "Correct the address")).contains(
                "<h1 id=\"headline\" data-live=\"off\">Paid, but the mail bounced.</h1>",
                "<p class=\"sr\" id=\"said\" role=\"status\" data-live>Paid, but the mail bounced.</p>",
                "<li class=\"dead\"><span class=\"name\">Bounced</span>", "knows no ann@nowhere.invalid");
        assertThat(ann.get("/orders").body()).contains("<span class=\"badge dead\">The mail bounced</span>");
    }

    @ParameterizedTest
    @CsvSource({"yes,You are going!,1", "no,Declined. You were not charged.,0"})
    void aLargeOrderWaitsForTheBoxOfficeAndIsChargedOnlyIfItIsApproved(String answer, String end, int charges) {
        Map<String, String> form = Browser.form("order-1", "ann@example.com");
        form.put("tickets", "5");
        ann.post("/tickets/tin", form);
        Markup.check(shop.awaitOrder("order-1", "You are the box office"));
        ann.buy("tin", "order-2", "ann@example.com");
        assertThat(shop.jobs(OpenShop.CHECKOUTS, JobState.DELAYED)).as("holds no handler").hasSize(1);

        assertThat(ann.post("/orders/order-1/approval", Map.of("answer", answer)).statusCode()).isEqualTo(303);
        assertThat(shop.awaitOrder("order-1", end)).doesNotContain("You are the box office");
        shop.awaitOrder("order-2", "You are going!");
        assertThat(shop.outside.charged.stream().filter("order-1"::equals)).hasSize(charges);
        assertThat(ann.post("/orders/order-1/approval", Map.of("answer", "yes")).statusCode()).isEqualTo(409);
    }

    @Test
    void ordersAreListedWithTheirNumberDateAndPrice() {
        ann.buy("tin", "order-1", "ann@example.com");
        shop.awaitOrder("order-1", "You are going!");

        assertThat(ann.get("/orders").body()).contains("<span class=\"number\">order-1</span>", "1 ticket · €24.50")
                .containsPattern("<time datetime=\"[0-9T:.Z-]+\">[0-9]+ \\p{Alpha}+ 20[0-9]{2}, [0-9:]{5} UTC</time>");
    }

    @Test
    void aShopWithoutAServerInFrontHasNoRoomToOperate() {
        assertThat(ann.get("/behind-the-scenes").body()).doesNotContain("The line at the door");
        assertThat(ann.post("/behind-the-scenes/hold", Map.of()).statusCode()).isEqualTo(409);
    }

    @Test
    void withoutScriptAMovingPageRefreshesItselfUntilTheOrderIsOver() {
        shop.outside.fail("order-1", 1);
        ann.buy("tin", "order-1", "ann@example.com");

        assertThat(shop.awaitOrder("order-1", "The bank did not answer. Trying again."))
                .contains("<noscript><meta http-equiv=\"refresh\" content=\"2\"></noscript>");
        assertThat(shop.awaitOrder("order-1", "You are going!")).doesNotContain("http-equiv");
    }

    @Test
    void aFirstVisitGetsACookieThatScriptsAndOtherSitesDoNotGet() {
        HttpResponse<String> first = new Browser(ann.client(), ann.port(), "x").get("/");
        assertThat(first.headers().firstValue("Set-Cookie")).get().asString()
                .matches(
                        "customer=[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]{43}; Path=/; HttpOnly; SameSite=Lax");
        assertThat(ann.get("/").headers().firstValue("Set-Cookie")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"Origin,http://evil.example,403", "Origin,null,403", "Sec-Fetch-Site,cross-site,403",
            "Sec-Fetch-Site,same-site,403", "Sec-Fetch-Site,same-origin,422", "Sec-Fetch-Site,none,422"})
    void aFormSentFromElsewhereIsRefused(String header, String value, int status) {
        HttpResponse<String> answer = ann.send(ann.request("/tickets/tin").header(header, value)
                .POST(BodyPublishers.ofString("order=order-1")));
        assertThat(answer.statusCode()).isEqualTo(status);
    }

    @Test
    void aFormFromTheShopsOwnOriginIsAccepted() {
        HttpResponse<String> answer = ann.send(ann.request("/behind-the-scenes/redrive")
                .header("Origin", "http://127.0.0.1:" + ann.port()).POST(BodyPublishers.noBody()));
        assertThat(answer.statusCode()).isEqualTo(303);
    }

    @ParameterizedTest
    @CsvSource({"/tickets/nothing,GET,404", "/orders/order-9,GET,404", "/orders/order-9/address,POST,404",
            "/behind-the-scenes/nothing,POST,404", "/style.css/..,GET,404", "/behind-the-scenes/rush,GET,405",
            "/,POST,405", "/style.css,POST,405", "/,DELETE,405", "/,HEAD,200", "/style.css,HEAD,200"})
    void otherAddressesAndMethodsAreAnsweredClearly(String path, String method, int status) {
        HttpResponse<String> answer = ann.send(ann.request(path).method(method, BodyPublishers.noBody()));
        assertThat(answer.statusCode()).isEqualTo(status);
        if (status == 405) {
            assertThat(answer.headers().firstValue("Allow")).isPresent();
        }
    }

    @Test
    void aBodyThatIsTooLongOrBrokenIsRefused() {
        assertThat(ann.post("/tickets/tin", Map.of("name", "x".repeat(20_000))).statusCode()).isEqualTo(400);
        assertThat(ann.send(ann.request("/tickets/tin").POST(BodyPublishers.ofString("name=%zz"))).statusCode())
                .isEqualTo(400);
    }

    @Test
    void aKnownFileIsAnsweredAsNotModified() {
        HttpResponse<String> first = ann.get("/style.css");
        String tag = first.headers().firstValue("ETag").orElseThrow();
        assertThat(first.headers().firstValue("Set-Cookie")).isEmpty();
        assertThat(ann.send(ann.request("/style.css").header("If-None-Match", tag).GET()).statusCode()).isEqualTo(304);
    }
}
