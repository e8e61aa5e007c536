package dev.orderly.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.web.browser.Chromium;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.WebDriverException;

/**
 * The shop behind a real edge, in a real browser. Without an installed browser the test reports that and checks
 * nothing.
 */
@Tag("slow")
class DemoInTheBrowserTest {
    @TempDir
    private Path home = Path.of("");

    private static final String ORDER = "order-7";
    /** Records each text that the page shows, however briefly. */
    private static final String WATCH = "void (window.seen = [], new MutationObserver(() => seen.push(document"
            + ".getElementById('pulse').textContent)).observe(document.getElementById('pulse'), {childList: true}))";

    private static void soon(ThrowingRunnable claim) {
        await().atMost(Duration.ofSeconds(30)).ignoreExceptionsInstanceOf(WebDriverException.class)
                .untilAsserted(claim);
    }

    private static void openWatched(Chromium browser, String address) {
        browser.open(address);
        soon(() -> assertThat(browser.text("#pulse")).startsWith("Live"));
        browser.eval(WATCH);
    }

    private static List<String> seen(Chromium browser) {
        Object all = browser.eval("seen");
        return all instanceof List<?> list ? list.stream().map(String::valueOf).toList() : List.of();
    }

    /** Submits a purchase as the page's form would, so that the browser's cookie counts, and stays on the page. */
    private static void buy(Chromium browser, String order, String card) {
        browser.eval(
                "fetch('/tickets/tin', {method: 'POST', redirect: 'manual', body: new URLSearchParams({order: '"
                        + order + "', tickets: 1, name: 'Ann', mail: 'ann@example.com', card: '" + card
                        + "'})}).then(() => 0)");
    }

    @Test
    void twoTabsOfACustomerShowEachStepAndAnotherCustomersPageShowsNone() throws IOException {
        try (Chromium ann = Chromium.start();
                Chromium bob = Chromium.start();
                DemoServer demo = DemoServer.start(new DemoServer.Ports(0, 0), 0, home)) {
            String shop = "http://127.0.0.1:" + demo.port();
            bob.open(shop + "/tickets/tin");
            openWatched(bob, shop + "/orders");
            ann.open(shop + "/tickets/tin"); // lets her into the room
            openWatched(ann, shop + "/orders");
            String first = ann.tab();
            String second = ann.newTab(shop + "/orders");
            soon(() -> assertThat(ann.text("#pulse")).startsWith("Live"));
            ann.eval(WATCH);
            buy(ann, ORDER, "ANY");

            for (String tab : List.of(second, first)) {
                ann.useTab(tab);
                soon(() -> assertThat(seen(ann)).last().isEqualTo("Live on all your tabs: shipped"));
                assertThat(seen(ann).stream().filter(text -> !text.contains("waiting")).distinct())
                        .containsExactly("Live on all your tabs: preparing", "Live on all your tabs: packaging",
                                "Live on all your tabs: shipped");
                soon(() -> assertThat(ann.text("#list")).contains("Tickets sent"));
            }
            assertThat(seen(bob)).isEmpty();
            assertThat(bob.text("#list")).contains("None yet");
            assertThat(ann.console()).noneMatch(line -> line.contains("Content Security Policy"));
        }
    }

    @Test
    void theOrderPageFollowsItsJobFromItsPositionInLineToItsEnd() throws IOException {
        try (Chromium ann = Chromium.start(); DemoServer demo = DemoServer.start(new DemoServer.Ports(0, 0), 0, home)) {
            String shop = "http://127.0.0.1:" + demo.port();
            ann.open(shop + "/tickets/tin");
            buy(ann, "order-1", "SLOW");
            buy(ann, ORDER, "SLOW");
            soon(() -> {
                ann.open(shop + "/orders/" + ORDER);
                assertThat(ann.text("h1")).contains("behind an earlier one of yours");
            });

            soon(() -> assertThat(ann.text("#ahead")).startsWith("In line: 1 before this one"));
            soon(() -> assertThat(ann.text("#ahead")).isEqualTo("Your seats are held"));
            soon(() -> assertThat(ann.text("h1")).isEqualTo("You are going!"));
            soon(() -> assertThat(ann.text("#facts")).contains("done").doesNotContain("running"));
            assertThat(ann.text("#ahead")).isEmpty();
            assertThat(ann.find("#ahead").isDisplayed()).isFalse();
        }
    }
}
