package dev.orderly.web.room.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.web.browser.Chromium;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The behaviour of the page in a browser. */
@Tag("slow")
class InTheBrowserTest extends BrowserScenes {
    @Test
    void numbersChangeWithoutAReload() throws Exception {
        play("en", (browser, room) -> {
            listen(browser, room);
            assertThat(browser.text("#number")).isEqualTo("412");
            room.send("place", place("waiting", 45, 0.9, "steady", "\"The <b>doors</b> are open\""));

            soon(() -> assertThat(browser.text("#number")).isEqualTo("45"));
            assertThat(browser.text("#eta")).isEqualToIgnoringCase("about 3 to 5 minutes");
            assertThat(browser.text("#cause")).isEqualTo("The line moves at a steady pace.");
            assertThat(browser.text("#message")).isEqualTo("The <b>doors</b> are open");
            assertThat(browser.text("#note")).startsWith("This page updates by itself.");
            assertThat(browser.title()).isEqualTo("45 · You are in line – Lantern Festival");
            assertThat(browser.find("#bar").getDomAttribute("aria-valuenow")).isEqualTo("90");
            assertThat(browser.find("#you").getDomAttribute("cx")).isEqualTo("90%");
            assertThat(room.requests()).filteredOn(request -> request.equals("GET /tickets?show=7")).hasSize(1);
        });
    }

    @Test
    void aMessageThatArrivesLaterHasItsOwnLanguageAndDirection() throws Exception {
        play("en", (browser, room) -> {
            listen(browser, room);
            assertThat(browser.find("#message").getDomAttribute("lang")).isEqualTo("en");
            room.send("place", place("waiting", 45, 0.9, "steady", "\"نعود قريبا\",\"messageLanguage\":\"ar\""));

            soon(() -> assertThat(browser.text("#message")).isEqualTo("نعود قريبا"));
            assertThat(browser.find("#message").getDomAttribute("lang")).isEqualTo("ar");
            assertThat(browser.eval("getComputedStyle(document.querySelector('#message')).direction")).isEqualTo("rtl");
        });
    }

    @Test
    void aPauseTheNextTurnAndAClosedRoomAreShown() throws Exception {
        play("de", (browser, room) -> {
            listen(browser, room);
            room.send("place", place("held", 45, 0.9, "held", null));
            soon(() -> assertThat(browser.text("h1")).isEqualTo("Kurze Pause"));
            assertThat(browser.text("#wait")).isEmpty();
            assertThat(browser.text("#status")).contains("Kurze Pause", "45 Personen vor Ihnen");

            room.send("place", place("door", 1, 0.99, "steady", null));
            soon(() -> assertThat(browser.text("h1")).isEqualTo("Gleich sind Sie dran"));
            assertThat(browser.text("#ahead")).isEqualTo("1 Person vor Ihnen");

            room.send("place", place("closed", 45, 0.9, "held", null));
            soon(() -> assertThat(browser.text("h1")).isEqualTo("Zurzeit geschlossen"));
            assertThat(browser.text("body")).doesNotContain("Personen vor Ihnen", "Warteschlange verlassen");
        });
    }

    @Test
    void aLobbyCountsDownAndBecomesTheLineAtTheOpening() throws Exception {
        play("en", (browser, room) -> {
            room.state(Pages.lobby(null));
            listen(browser, room);
            assertThat(browser.text("h1")).isEqualTo("Not open yet");
            assertThat(browser.text("#opening .lead")).startsWith("We open on Monday, March 1, 2027")
                    .contains("(Europe/Berlin)");
            soon(() -> assertThat(browser.text("#clock")).isBetween("00:24:00", "00:24:57"));
            assertThat(browser.text("#crowd")).isEqualTo("80,000 people wait for about 5,000 places.");

            room.send("place", place("waiting", 45, 0.9, "steady", null));
            soon(() -> assertThat(browser.text("h1")).isEqualTo("You are in line"));
            assertThat(browser.text("#opening")).isEmpty();
            assertThat(browser.text("#number")).isEqualTo("45");
        });
    }

    @Test
    void aLineWhoseRoomClosesUntilAnOpeningGetsThePageOfTheLobby() throws Exception {
        play("en", (browser, room) -> {
            listen(browser, room);
            room.state(Pages.lobby(null));
            room.send("place", place("lobby", 45, 0, "opening", null));
            soon(() -> assertThat(browser.text("h1")).isEqualTo("Not open yet"));
        });
    }

    @Test
    void onTheTurnTheSameUrlIsRequestedAgain() throws Exception {
        play("en", (browser, room) -> {
            listen(browser, room);
            room.admit();
            room.send("turn", "{}");

            soon(() -> assertThat(browser.title()).isEqualTo("Inside"));
            assertThat(room.requests()).filteredOn(request -> request.equals("GET /tickets?show=7")).hasSize(2);
        });
    }

    @Test
    void theTurnIsSeenForTwoSecondsWhileThePassIsTakenAtOnceAndAClickEntersSooner() throws Exception {
        play("en", (browser, room) -> {
            browser.open(room.address());
            browser.eval("window.setTimeout = () => 0"); // the page enters by itself no more
            soon(() -> assertThat(room.isHeard()).isTrue());
            room.admit();
            room.send("turn", "{}");

            soon(() -> assertThat(browser.text("h1")).isEqualTo("It is your turn"));
            soon(() -> assertThat(room.requests()).contains("POST /.orderly/rooms/sale/pass"));
            assertThat(browser.text("#check")).isEqualTo("Enter now");
            browser.find("#check").click();
            soon(() -> assertThat(browser.title()).isEqualTo("Inside"));
        });
    }

    @Test
    void aFormThatWasAnsweredWithThePageIsNotSentAgain() throws Exception {
        play("en", (browser, room) -> {
            browser.open(room.address().replace("/tickets", "/form"));
            browser.eval("(() => {const f = document.createElement('form'); f.method = 'post'; f.action = '/tickets';"
                    + " document.body.append(f); f.submit()})()");
            soon(() -> assertThat(room.requests()).last().isEqualTo("GET /.orderly/rooms/sale/events"));
            soon(() -> assertThat(room.requests()).contains("POST /tickets"));
            room.admit();
            soon(() -> {
                room.send("turn", "{}");
                assertThat(browser.title()).isEqualTo("Inside");
            });

            assertThat(room.requests()).filteredOn(request -> request.equals("POST /tickets")).hasSize(1);
            assertThat(room.requests()).contains("GET /tickets");
        });
    }

    @Test
    void aPageOfAVisitorWhoseTurnItIsEntersByItself() throws Exception {
        play("en", (browser, room) -> {
            room.state(new PageState.Turn());
            browser.open(room.address());
            assertThat(browser.text("h1")).isEqualTo("It is your turn");
            assertThat(browser.title()).isEqualTo("It is your turn – Lantern Festival");
            room.admit();

            soon(() -> assertThat(browser.title()).isEqualTo("Inside"));
        });
    }

    @Test
    void withoutEventsThePagePolls() throws Exception {
        play("en", (browser, room) -> {
            room.withoutEvents();
            room.ticket(place("waiting", 7, 0.95, "faster", null).replace("}", ",\"poll\":1}"));
            browser.open(room.address());
            soon(() -> assertThat(browser.text("#number")).isEqualTo("7"));
            room.admit();
            room.ticket("{\"state\":\"turn\",\"poll\":1}");

            soon(() -> assertThat(browser.title()).isEqualTo("Inside"));
        });
    }

    @Test
    void aHiddenPageDoesNotPollAndResumesWhenVisible() throws Exception {
        play("en", (browser, room) -> {
            room.withoutEvents();
            room.ticket(place("waiting", 7, 0.95, "faster", null).replace("}", ",\"poll\":1}"));
            browser.open(room.address());
            hide(browser, true);
            room.ticket(place("waiting", 6, 0.96, "faster", null).replace("}", ",\"poll\":1}"));
            await().during(Duration.ofSeconds(3)).atMost(Duration.ofSeconds(60)).untilAsserted(() -> assertThat(browser
                    .text("#number")).isNotEqualTo("6"));
            hide(browser, false);

            soon(() -> assertThat(browser.text("#number")).isEqualTo("6"));
        });
    }

    @Test
    void aVoidTicketIsReplaced() throws Exception {
        play("en", (browser, room) -> {
            listen(browser, room);
            room.state(new PageState.Closed());
            room.send("void", "{}");

            soon(() -> assertThat(browser.text("h1")).isEqualTo("Closed for now"));
        });
    }

    @Test
    void leavingTakesASecondClickAndIsConfirmed() throws Exception {
        play("en", (browser, room) -> {
            listen(browser, room);
            browser.find("summary").click();
            assertThat(browser.text("#leave")).contains("cannot get it back");
            assertThat(room.requests()).noneMatch(request -> request.startsWith("DELETE"));
            browser.find("#leave button").click();

            soon(() -> assertThat(browser.text("h1")).isEqualTo("You have left the line"));
            assertThat(browser.text("#check")).isEqualTo("Join the line again");
            assertThat(room.requests()).contains("DELETE /.orderly/rooms/sale/ticket");
            assertThat(browser.text("body")).doesNotContain("before you", "Leave the line");
        });
    }

    @Test
    void soundIsOffUntilItIsWanted() throws Exception {
        play("en", (browser, room) -> {
            listen(browser, room);
            assertThat(browser.find("#sound").getDomAttribute("aria-pressed")).isEqualTo("false");
            browser.find("#sound").click();

            soon(() -> assertThat(browser.find("#sound").getDomAttribute("aria-pressed")).isEqualTo("true"));
            browser.find("#sound").click();
            soon(() -> assertThat(browser.find("#sound").getDomAttribute("aria-pressed")).isEqualTo("false"));
        });
    }

    @Test
    void aNotificationIsShownOnlyIfItWasWantedAndPermissionIsAskedOnTheClick() throws Exception {
        play("en", (browser, room) -> {
            listen(browser, room);
            browser.eval("""
                    (() => {
                    window.shown = [];
                    window.asked = 0;
                    window.Notification = class {
                      static permission = 'default';
                      static requestPermission() { asked++; return Promise.resolve('granted'); }
                      constructor(title, options) { shown.push(title + ': ' + options.body); }
                    };
                    })()""");
            assertThat(browser.eval("asked")).isEqualTo(0L);
            assertThat(browser.find("#notify").getDomAttribute("aria-pressed")).isEqualTo("false");
            browser.find("#notify").click();

            soon(() -> assertThat(browser.find("#notify").getDomAttribute("aria-pressed")).isEqualTo("true"));
            assertThat(browser.eval("asked")).isEqualTo(1L);
            browser.eval("window.setTimeout = () => 0"); // the page enters by itself no more
            room.send("turn", "{}");
            soon(() -> assertThat(browser.eval("shown.join()")).isEqualTo("It is your turn: Lantern Festival"));
        });
    }

    @Test
    void withoutScriptThePageIsComplete() throws Exception {
        play("fr", (browser, room) -> {
            browser.script(false);
            browser.open(room.address());

            assertThat(browser.text("body")).contains("412", "personnes devant vous", "nviron 8 à 12 minutes",
                    "toutes les 20 secondes", "Vérifier maintenant", "Quitter la file", "Premier arrivé");
            assertThat(browser.text("body")).doesNotContain("Un son quand", "M’avertir");
            assertThat(room.requests()).noneMatch(request -> request.contains(".orderly"));
        });
    }

    private static void hide(Chromium browser, boolean hidden) {
        browser.eval("(() => {Object.defineProperty(document, 'hidden', {value: " + hidden + ", configurable: true});"
                + " document.dispatchEvent(new Event('visibilitychange'))})()");
    }

    private static String place(String state, long ahead, double progress, String cause,
            @Nullable String message) {
        String fixed = "\"place\":5318,\"low\":180,\"high\":300,\"mode\":\"auto\"";
        return "{%s,\"state\":\"%s\",\"ahead\":%d,\"progress\":%s,\"cause\":\"%s\",\"message\":%s}"
                .formatted(fixed, state, ahead, progress, cause, message);
    }
}
