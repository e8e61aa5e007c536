package dev.orderly.http.room;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.room.AddressLimits;
import dev.orderly.room.Limits;
import dev.orderly.room.ProofOfWork;
import dev.orderly.room.Rate;
import dev.orderly.room.RoomOptions;
import dev.orderly.web.browser.Chromium;
import dev.orderly.web.browser.Guest;
import dev.orderly.web.browser.InChromium;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The waiting page in a real browser. */
@Tag("slow")
class RoomBrowserTest extends InChromium {
    private static final Duration SOON = Duration.ofSeconds(60);

    private RoomNode node;
    private Chromium browser;

    @BeforeEach
    void begin() {
        node = new RoomNode(RoomOptions.of(new Limits(1, null))
                .withAddresses(new AddressLimits(new Rate(1_000, Duration.ofMinutes(1)), null, null)).withMove(true));
        browser = browser();
        browser.script(true);
        browser.forgetCookies();
    }

    @AfterEach
    void end() {
        leavePage();
        node.close();
    }

    private String address() {
        return "http://127.0.0.1:" + node.edge.port() + "/tickets/";
    }

    private Guest inside() {
        Guest first = new Guest(node);
        first.get("/tickets/");
        first.get("/tickets/");
        return first;
    }

    /** Advances the time until the browser shows something. */
    private void until(Chromium seen, String css, String text) {
        Awaitility.await().atMost(SOON).ignoreExceptions().until(() -> {
            node.pass(1);
            return seen.text(css).contains(text);
        });
    }

    @Test
    void aFirstVisitWaitsMovesUpAndEntersWithoutAClick() {
        Guest first = inside();
        List<Guest> before = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            Guest guest = new Guest(node);
            guest.get("/tickets/");
            before.add(guest);
        }

        browser.open(address());
        until(browser, "body", "5");
        assertThat(browser.text("body")).contains("people before you");
        before.subList(1, 5).forEach(guest -> guest.call("DELETE", "ticket"));
        first.call("DELETE", "ticket");
        until(browser, "body", "origin /tickets/");

        assertThat(browser.text("body")).isEqualTo("origin /tickets/");
    }

    @Test
    void aRefreshKeepsThePlaceAndTwoTabsShareIt() {
        inside();
        browser.open(address());
        until(browser, "body", "Ticket no. 2");

        browser.open(address());
        assertThat(browser.text("body")).contains("Ticket no. 2");
        browser.open(address() + "another");
        assertThat(browser.text("body")).contains("Ticket no. 2");
        assertThat(node.room().state().line().length()).isEqualTo(2);
    }

    @Test
    void aBrowserThatKeepsNoCookiesIsToldSoAndTakesNoFurtherPlaces() throws IOException {
        inside();
        try (Chromium strict = Chromium.withoutCookies()) {
            strict.open(address());
            until(strict, "h1", "Your browser keeps no cookies");
            assertThat(strict.text("main")).contains("allow cookies for this site", "Join the line again")
                    .doesNotContain("Ticket no.");
        }
        assertThat(node.room().state().line().length()).isEqualTo(2);
    }

    @Test
    void withoutScriptThePageShowsThePositionAndEntersByItself() {
        Guest first = inside();
        browser.script(false);
        browser.open(address());
        assertThat(browser.text("body")).contains("Ticket no. 2", "checks every");

        first.call("DELETE", "ticket");
        until(browser, "body", "origin /tickets/");
    }

    private static String link(Guest guest) {
        return Guest.json(guest.call("POST", "link?back=%2Ftickets%2F")).path("link").asString();
    }

    private void take(Guest guest, String link) {
        HttpResponse<String> taken = guest.send(node.at("/.orderly/rooms/sale/move")
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString("link=" + link.substring(link.indexOf('#') + 1))));
        assertThat(taken.statusCode()).as(taken.body()).isEqualTo(201);
    }

    @Test
    void aPlaceMovesToTheBrowserAndOnToAnotherDevice() {
        inside();
        Guest before = new Guest(node);
        before.get("/tickets/");
        browser.open(link(before));
        assertThat(browser.text("h1")).isEqualTo("Move your place to this device?");
        assertThat(browser.find("#paste").isDisplayed()).isFalse();
        browser.find("button").click();
        until(browser, "body", "Ticket no. 2");
        assertThat(before.get("/tickets/").statusCode()).isEqualTo(410);

        String line = browser.tab();
        browser.find("#move button").click();
        Awaitility.await().atMost(SOON).until(() -> browser.tabs().size() == 2);
        browser.useTab(browser.tabs().stream().filter(tab -> !tab.equals(line)).findFirst().orElseThrow());
        until(browser, "main", "Copy the link");
        assertThat(browser.text("#lead")).contains("within five minutes");
        take(new Guest(node), String.valueOf(browser.find("#url").getDomAttribute("value")));
        browser.closeTab(line);
        until(browser, "h1", "Your place was moved");
        assertThat(browser.console()).noneMatch(each -> each.contains("Content Security Policy"));
    }

    @Test
    void withoutScriptALinkIsMadeAndPasted() {
        inside();
        browser.script(false);
        browser.open(address());
        String line = browser.tab();
        browser.find("#move button").click();
        Awaitility.await().atMost(SOON).until(() -> browser.tabs().size() == 2);
        browser.closeTab(browser.tabs().stream().filter(tab -> !tab.equals(line)).findFirst().orElseThrow());
        browser.script(false); // a setting of each tab
        until(browser, "h1", "Go on with another device");
        String link = String.valueOf(browser.find("#url").getDomAttribute("value"));
        Guest other = new Guest(node);
        take(other, link);
        browser.find("a").click();
        until(browser, "h1", "Your place was moved");

        String back = link(other);
        browser.open(back);
        browser.find("#link").sendKeys(back);
        browser.find("button").click();
        until(browser, "body", "Ticket no. 2");
    }

    @Test
    void aVisitorWhoLeavesIsOutOfLine() {
        inside();
        browser.script(false);
        browser.open(address());
        browser.find("summary").click();
        browser.find("#leave button").click();

        Awaitility.await().atMost(SOON).until(() -> {
            node.pass(1);
            return new Guest(node).call("GET", "ticket").statusCode() == 404 && node.room().state().load().known() == 0;
        });
        until(browser, "body", "You have left the line");
        assertThat(browser.find("a").getAttribute("href")).isEqualTo(address());
    }

    private void crowded(Duration delay) {
        node.close();
        node = new RoomNode(RoomOptions.of(new Limits(1, null)).withProofOfWork(new ProofOfWork(1, delay, 1_000)));
        inside();
    }

    @Test
    void thePageOfACrowdedNetworkDoesTheWorkAndGetsItsPlace() {
        crowded(Duration.ofMinutes(10));
        browser.open(address());
        Awaitility.await().atMost(SOON).ignoreExceptions().until(() -> browser.text("body").contains("Ticket no. 2"));
        assertThat(browser.console()).noneMatch(each -> each.contains("Content Security Policy"));
    }

    @Test
    void withoutScriptThePageOfACrowdedNetworkWaits() {
        crowded(Duration.ofSeconds(1));
        browser.script(false);
        browser.open(address());
        assertThat(browser.text("body")).contains("Many places were taken from your network");
        until(browser, "body", "Ticket no. 2");
    }
}
