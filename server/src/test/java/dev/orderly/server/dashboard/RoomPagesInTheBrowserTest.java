package dev.orderly.server.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.history.HistoryFigure;
import dev.orderly.history.HistoryFigures;
import dev.orderly.history.HistoryPart;
import dev.orderly.history.HistorySubject;
import dev.orderly.history.HistorySubject.Kind;
import dev.orderly.store.sqlite.SqliteStore;
import dev.orderly.time.Time;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The pages of rooms and the charts of the history in a real browser. */
class RoomPagesInTheBrowserTest extends DashboardScenes {
    @Override
    String config() {
        return """
                queues: { mails: {} }
                rooms:
                  sale:
                    match: [/sale/**]
                    capacity: 10
                    rate: 5 per 15s
                    tiers: [{ name: press, invitations: true, share: 5% }]
                """;
    }

    /** Half an hour of a busy room, and of a queue. */
    @Override
    void seed(Path database) {
        Instant minute = Time.system().now().truncatedTo(ChronoUnit.MINUTES);
        try (SqliteStore store = SqliteStore.at(database)) {
            for (int ago = 1; ago <= 30; ago++) {
                Instant at = minute.minusSeconds(60L * ago);
                store.history().append("before", List.of(
                        new HistoryPart(new HistorySubject(Kind.ROOM, "sale"), at,
                                new HistoryFigures.Builder().add(HistoryFigure.ARRIVALS, 100 + ago)
                                        .add(HistoryFigure.ADMITTED, 70).peak(HistoryFigure.INSIDE, 9)
                                        .peak(HistoryFigure.CAPACITY, 10).build()),
                        new HistoryPart(new HistorySubject(Kind.QUEUE, "mails"), at,
                                new HistoryFigures.Builder().add(HistoryFigure.PUSHED, 7)
                                        .add(HistoryFigure.RUNS, 1, 6).add(HistoryFigure.RUN_MILLIS, 300)
                                        .peak(HistoryFigure.WAITING, 4_321).build())));
            }
        }
    }

    @Test
    void theHistoryIsDrawnAndIsATableToo() throws Exception {
        open("/rooms/sale");
        soon(() -> assertThat(browser().eval("document.querySelectorAll('.charts canvas').length")).isEqualTo(7L));
        browser().eval("document.querySelector('.charts details').open = true");
        soon(() -> assertThat(browser().text(".charts details")).contains("Arrivals", "130", "70"));
        inspect("/queues/mails");
        soon(() -> assertThat(browser().text(".charts .spread")).contains("up to 100 ms", "100 %"));
        browser().script(false);
        try {
            open("/queues/mails/history");
            assertThat(browser().text("main")).contains("Jobs a minute", "4,321", "50 ms");
        } finally {
            browser().script(true);
        }
    }

    @Test
    void theRoomsTheirHistoryAndTheirWaitingPageFitEveryWidthInBothThemesWithoutABarrier() throws Exception {
        signIn("operator", "/rooms");
        inspect("/rooms");
        inspect("/rooms/sale");
        inspect("/rooms/sale/history");
        inspect("/rooms/sale/preview?state=held&language=ar&width=phone");
        open("/rooms/sale/report");
        assertThat(browser().text("h1")).startsWith("Room sale, ");
        open("/rooms/sale/preview/waiting/de");
        assertThat(browser().eval("document.documentElement.lang")).isEqualTo("de");
        open("/queues/nothing/history");
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
    void anOperatorIssuesInvitationsSavesTheirCodesOnceAndRevokesThem() throws Exception {
        signIn("operator", "/rooms/sale");
        press("invite");
        browser().eval("document.getElementById('count').value = '2'");
        browser().find("#invite .primary").click();
        soon(() -> assertThat(browser().text("#notices")).contains("2 invitations to tier press, series"));
        String file = String.valueOf(browser().eval(
                "decodeURIComponent(document.querySelector('#notices a').href.replace(/^[^,]*,/, ''))"));
        assertThat(file.lines().toList()).hasSize(3).first().isEqualTo("code,link,expires");
        assertThat(file.lines().skip(1)).allMatch(line -> line
                .matches("([A-Za-z0-9_-]{38}),/\\.orderly/rooms/sale/invitation#\\1,20.*Z"));
        soon(() -> assertThat(browser().text("#invitations")).contains("press", "open"));
        inspect("/rooms/sale");
        String code = file.lines().skip(1).findFirst().orElseThrow().substring(0, 38);
        assertThat(browser().eval("document.body.innerHTML.includes('" + code + "')")).as("after a reload")
                .isEqualTo(false);
        press(String.valueOf(browser().eval("document.querySelector('#invitations [popovertarget]')"
                + ".getAttribute('popovertarget')")));
        browser().find("#invitations .sheet button.danger").click();
        soon(() -> assertThat(browser().text("#notices")).contains("are revoked"));
        soon(() -> assertThat(browser().text("#invitations")).contains("revoked"));
        assertThat(api("GET", "/audit?operation=invite&limit=1", "").toString()).contains("/rooms/sale/invitations")
                .doesNotContain(code);
        signIn("viewer", "/rooms/sale");
        assertThat(browser().eval("document.getElementById('h-invitations')")).isNull();
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

    private JsonNode room() {
        try {
            return api("GET", "/rooms/sale", "");
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
