package dev.orderly.server.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The pages of rooms and the charts of the history in a real browser. */
class RoomPagesInTheBrowserTest extends DashboardScenes {
    @Override
    String config() {
        return """
                queues: { mails: {} }
                rooms: { sale: { match: [/sale/**], capacity: 10, rate: 5 per 15s } }
                """;
    }

    @BeforeEach
    void whereABrowserIsInstalled() {
        assumeTrue(installed().isPresent());
    }

    @Test
    void theRoomsTheirHistoryAndTheirWaitingPageFitEveryWidthInBothThemesWithoutABarrier() throws Exception {
        signIn("operator", "/rooms");
        inspect("/rooms");
        inspect("/rooms/sale");
        inspect("/rooms/sale/history?range=day");
        inspect("/rooms/sale/preview?state=held&language=ar&width=phone");
        open("/rooms/sale/preview/waiting/de");
        assertThat(browser().eval("document.documentElement.lang")).isEqualTo("de");
        open("/queues/mails/history");
        assertThat(browser().text("main")).contains("Nothing was recorded");
    }

    @Test
    void anOperatorSetsLimitsAndTakesThemBack() throws Exception {
        signIn("operator", "/rooms/sale");
        press("limits");
        browser().eval("document.getElementById('capacity').value = '3'");
        browser().find("#limits .primary").click();
        soon(() -> assertThat(browser().text("#notices")).contains("sale has capacity 3, rate 5 per 15s"));
        soon(() -> assertThat(browser().text("#rule")).contains("capacity 3", "by an operator"));
        browser().find("#notices form button").click();
        soon(() -> assertThat(browser().text("#notices")).contains("capacity 10"));
        soon(() -> assertThat(room().at("/limits/override").isNull()).isTrue());
    }

    @Test
    void theModeIsSetWithWhatItDoesSaidBeforeAndSetBack() throws Exception {
        signIn("operator", "/rooms/sale");
        press("mode");
        assertThat(browser().text("#mode")).contains("Nobody new enters, except visitors you admit");
        browser().find("#mode input[value=hold]").click();
        browser().find("#mode .primary").click();
        soon(() -> assertThat(browser().text("#rule")).contains("An operator holds the line"));
        browser().find("#notices form button").click();
        soon(() -> assertThat(browser().text("#rule")).contains("No limit is reached"));
        assertThat(api("GET", "/audit?operation=roomMode&limit=1", "").toString()).contains("/rooms/sale/mode");
    }

    @Test
    void aMessageInTwoLanguagesReachesTheWaitingPageOfEach() throws Exception {
        signIn("operator", "/rooms/sale");
        press("message");
        browser().eval("document.getElementById('text').value = 'Soon.\\n[de] Bald.'");
        browser().find("#message .primary").click();
        soon(() -> assertThat(browser().text("#rule")).contains("Soon. [de] Bald."));
        open("/rooms/sale/preview/waiting/de");
        assertThat(browser().text("body")).contains("Bald.").doesNotContain("Soon.");
        open("/rooms/sale/preview/waiting/en");
        assertThat(browser().text("body")).contains("Soon.");
        api("POST", "/rooms/sale/message", "{\"text\":null}");
    }

    @Test
    void whyAVisitorWaitsIsLookedUpByTheTicket() throws Exception {
        signIn("viewer", "/rooms/sale");
        assertThat(browser().eval("document.querySelectorAll('.control').length")).isEqualTo(0L);
        browser().eval("document.getElementById('ticket').value = 'made up'");
        browser().find("form.inline button").click();
        soon(() -> assertThat(browser().text("#notices")).contains("no ticket of room sale"));
    }

    private void press(String control) {
        soon(() -> assertThat(browser().text("#pulse")).isEqualTo("Live"));
        browser().find("[popovertarget=" + control + "]").click();
        soon(() -> assertThat(browser().eval("document.getElementById('" + control + "').matches(':popover-open')"))
                .isEqualTo(true));
    }

    private JsonNode room() {
        try {
            return api("GET", "/rooms/sale", "");
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
