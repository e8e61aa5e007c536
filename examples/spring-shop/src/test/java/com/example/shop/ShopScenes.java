package com.example.shop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.Orderly;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.job.QueueName;
import dev.orderly.user.UserId;
import dev.orderly.web.browser.Chromium;
import dev.orderly.web.browser.InChromium;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
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
        "orderly.queues[orders.fifo].retry.base=1m",
        "spring.security.user.password=" + ShopScenes.PASSWORD, "server.servlet.session.persistent=false"})
abstract class ShopScenes extends InChromium {
    static final String PASSWORD = "wedging-clay";
    private static final QueueName STEPS = new QueueName("orders.fifo");

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

    private static @Nullable String state(Chromium browser, OrderStep.Step step) {
        return browser.find("[data-step=" + step + "]").getDomAttribute("data-state");
    }

    private static void awaitParcel(Chromium browser) {
        soon(() -> assertThat(browser.text("#news")).contains("Your parcel is on its way"));
    }

    /** Steps that wait for a retry or an event. */
    private List<JobView> delayed() {
        return orderly.jobs().list(STEPS, JobState.DELAYED, null, 100);
    }

    /** Steps that the bank refused are tried again at once. */
    private void retryNow() {
        delayed().forEach(job -> orderly.jobs().runNow(job.id()));
    }

    /** An order of somebody else. */
    final Order place() {
        return place(Product.MUG);
    }

    private Order place(Product product) {
        return checkout.place(new UserId("somebody"), product, Card.ACCEPTED);
    }

    private List<StepView.State> states(Order order) {
        return orders.steps(order.id()).stream().map(StepView::state).toList();
    }

    /** The job that awaits the approval of an order. */
    private JobView awaiting(Order order) {
        List<JobView> found = new ArrayList<>();
        soon(() -> {
            assertThat(states(order)).containsExactly(StepView.State.DONE, StepView.State.AWAITING,
                    StepView.State.WAITING);
            found.addAll(delayed().stream().filter(job -> order.id().equals(job.group())).toList());
            assertThat(found).as("its handler has returned").isNotEmpty();
        });
        return found.getFirst();
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
                .flatMap(state -> orderly.jobs().list(STEPS, state, null, 100).stream())
                .filter(job -> order.id().equals(job.group())).map(JobView::state).toList();
    }

    @Test
    void anOrderIsPackedPaidAfterARefusalAndSentWhileThePageIsOpen() {
        Chromium browser = browser();
        orderly.jobs().pause(STEPS, true);
        buy(browser, "/products/bowl", Card.REFUSED_ONCE);
        browser.eval("""
                (() => {
                    window.seen = [];
                    new MutationObserver(() => seen.push(document.querySelector('#news').textContent
                        + [...document.querySelectorAll('[data-step]')].map(step => ' ' + step.dataset.state))
                    ).observe(document.querySelector('main'), {childList: true, subtree: true});
                })()""");
        orderly.jobs().pause(STEPS, false);
        soon(() -> assertThat(browser.text("#news")).startsWith("The bank refused"));
        soon(() -> assertThat(delayed()).isNotEmpty()); // the page hears of the refusal before the attempt has ended
        retryNow();

        awaitParcel(browser);
        assertThat(browser.text("[data-step=RESERVE]")).contains("Packed");
        assertThat(browser.text("[data-step=PAY]")).contains("Paid 38 €, at attempt 2");
        assertThat((List<?>) Objects.requireNonNull(browser.eval("window.seen"))).as("what the open page showed")
                .asInstanceOf(InstanceOfAssertFactories.list(String.class))
                .anySatisfy(text -> assertThat(text).startsWith("The bank refused").endsWith(" DONE, REFUSED, WAITING"))
                .last().asString().startsWith("Thank you");
        assertThat(browser.console()).isEmpty();

        browser.open(url("/"));
        assertThat(browser.text(".orders")).contains("Tea bowl");
    }

    @Test
    void aLargeOrderIsChargedWhenTheStaffHasApprovedItAndNotOtherwise() {
        Order approved = place(Product.JAR);
        Order rejected = place(Product.JAR);
        orderly.jobs().event(awaiting(approved).id(), OrderSteps.APPROVAL, true);
        orderly.jobs().event(awaiting(rejected).id(), OrderSteps.APPROVAL, false);
        soon(() -> assertThat(states(approved)).containsOnly(StepView.State.DONE));
        soon(() -> assertThat(states(rejected)).as("nothing is sent unpaid").containsExactly(StepView.State.DONE,
                StepView.State.STOPPED, StepView.State.WAITING));
    }

    @Test
    void theStaffSeesTheDeadLetterAndRedrivesItAndTheOrderGoesOn() {
        Chromium browser = browser();
        buy(browser, "/products/vase", Card.REFUSED);
        String order = browser.tab();
        soon(() -> {
            retryNow();
            assertThat(browser.text("#news")).contains("Our staff looks into it");
        });
        assertThat(state(browser, OrderStep.Step.PAY)).isEqualTo("STOPPED");
        assertThat(state(browser, OrderStep.Step.SHIP)).as("nothing is sent unpaid").isEqualTo("WAITING");

        browser.newTab(url("/ops/queues/orders.fifo/dead"));
        assertThat(browser.text("h1")).isEqualTo("Staff only");
        assertThat(browser.text("main")).doesNotContain("Wrong");
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
