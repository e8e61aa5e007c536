package com.example.shop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.Orderly;
import dev.orderly.job.JobState;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.JobView;
import dev.orderly.user.UserId;
import dev.orderly.web.browser.Chromium;
import dev.orderly.web.browser.InChromium;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The shop in a browser. Each store has a subclass. The application closes with its class, before its database. */
@DirtiesContext
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT, properties = {"shop.pace=100ms",
        "orderly.queues[orders.fifo].retry.base=300ms", "orderly.queues[orders.fifo].retry.factor=1",
        "spring.security.user.password=" + ShopScenes.PASSWORD, "server.servlet.session.persistent=false"})
abstract class ShopScenes extends InChromium {
    static final String PASSWORD = "wedging-clay";

    @LocalServerPort
    private int port;
    @Autowired
    private Checkout checkout;
    @Autowired
    private Orders orders;
    @Autowired
    private Orderly orderly;
    @Autowired
    private PlatformTransactionManager transactions;

    final String url(String path) {
        return "http://localhost:" + port + path;
    }

    final void buy(Chromium browser, String path, Card card) {
        browser.open(url(path));
        browser.find("option[value=" + card + "]").click();
        browser.find("form:has(#card) button").click();
        soon(() -> assertThat(browser.eval("location.pathname")).asString().startsWith("/orders/"));
    }

    private static String state(Chromium browser, OrderStep.Step step) {
        return browser.text("[data-step=" + step + "]") + browser.find("[data-step=" + step + "]").getDomAttribute(
                "data-state");
    }

    private static void awaitParcel(Chromium browser) {
        soon(() -> assertThat(browser.text("#news")).contains("Your parcel is on its way"));
    }

    /** An order of somebody else. */
    final Order place() {
        return checkout.place(new UserId("somebody"), Product.MUG, Card.ACCEPTED);
    }

    /** A checkout whose transaction is rolled back after all of it was done. */
    final Order rolledBack() {
        int pieces = orders.pieces(Product.MUG);
        Order order = Objects.requireNonNull(new TransactionTemplate(transactions).execute(transaction -> {
            transaction.setRollbackOnly();
            return place();
        }));
        assertThat(orders.find(order.id())).isEmpty();
        assertThat(orders.steps(order.id())).isEmpty();
        assertThat(orders.pieces(Product.MUG)).isEqualTo(pieces);
        return order;
    }

    /** The states of the jobs of an order. */
    final List<JobState> jobs(Order order) {
        return Arrays.stream(JobState.values())
                .flatMap(state -> orderly.jobs().list(new QueueName("orders.fifo"), state, null, 100).stream())
                .filter(job -> order.id().equals(job.group())).map(JobView::state).toList();
    }

    @Test
    void anOrderIsPackedPaidAfterARefusalAndSentWhileThePageIsOpen() {
        if (installed().isEmpty()) {
            return;
        }
        Chromium browser = installed().get();
        browser.console(); // what other scenes left
        buy(browser, "/products/bowl", Card.REFUSED_ONCE);
        browser.eval("window.opened = true");

        soon(() -> assertThat(browser.find("[data-step=RESERVE] progress").getDomAttribute("value")).isNotEqualTo("0"));
        soon(() -> assertThat(state(browser, OrderStep.Step.PAY)).contains("The bank refused the card", "REFUSED"));
        assertThat(state(browser, OrderStep.Step.RESERVE)).contains("Packed", "DONE");
        assertThat(state(browser, OrderStep.Step.SHIP)).as("an order is a group").endsWith("WAITING");
        awaitParcel(browser);
        assertThat(state(browser, OrderStep.Step.PAY)).contains("Paid 38 €", "DONE");
        assertThat(browser.eval("window.opened")).as("the page was not loaded again").isEqualTo(true);
        assertThat(browser.console()).isEmpty();

        browser.open(url("/"));
        assertThat(browser.text(".orders")).contains("Tea bowl");
    }

    @Test
    void theStaffSeesTheDeadLetterAndRedrivesItAndTheOrderGoesOn() {
        if (installed().isEmpty()) {
            return;
        }
        Chromium browser = installed().get();
        buy(browser, "/products/vase", Card.REFUSED);
        String order = browser.tab();
        soon(() -> assertThat(state(browser, OrderStep.Step.PAY)).contains("Our staff looks into it", "STOPPED"));
        assertThat(state(browser, OrderStep.Step.SHIP)).as("nothing is sent unpaid").endsWith("WAITING");

        browser.newTab(url("/ops/queues/orders.fifo/dead"));
        assertThat(browser.text("h1")).isEqualTo("Staff only");
        browser.find("#password").sendKeys(PASSWORD);
        browser.find("form.login button").click();
        soon(() -> assertThat(browser.text("td a.id")).isNotEmpty());
        assertThat(browser.text("body")).contains("Refused: The bank refused the card.");
        browser.find("td a.id").click();
        soon(() -> browser.find(".control:has(form[hx-post$='/redrive']) > button").click());
        browser.find("form[hx-post$='/redrive'] button.primary").click();
        soon(() -> assertThat(browser.text("body")).contains("done"));
        browser.closeTab(order);
        awaitParcel(browser);
    }
}
