package dev.orderly.http.room.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.awaitility.core.ThrowingRunnable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.openqa.selenium.WebDriverException;

/** The page as a browser shows it. Where no Chromium is installed this says so and proves nothing. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class InTheBrowserTest {
    private interface Scene {
        void play(Chromium browser, ScriptedRoom room) throws Exception;
    }

    private Optional<Chromium> installed = Optional.empty();

    @BeforeAll
    void start() throws IOException {
        installed = Chromium.start();
    }

    @AfterAll
    void stop() throws IOException {
        if (installed.isPresent()) {
            installed.get().close();
        }
    }

    @BeforeEach
    void asAPhone() {
        installed.ifPresent(browser -> {
            browser.script(true);
            browser.device(390, 844, 2, false);
        });
    }

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
    void theLineMayPauseComeToTheDoorAndClose() throws Exception {
        play("de", (browser, room) -> {
            listen(browser, room);
            room.send("place", place("held", 45, 0.9, "held", null));
            soon(() -> assertThat(browser.text("h1")).isEqualTo("Die Schlange pausiert"));
            assertThat(browser.text("#wait")).isEmpty();
            assertThat(browser.text("#status")).contains("Die Schlange pausiert", "45 Personen vor Ihnen");

            room.send("place", place("door", 1, 0.99, "steady", null));
            soon(() -> assertThat(browser.text("h1")).isEqualTo("Gleich sind Sie dran"));
            assertThat(browser.text("#ahead")).isEqualTo("1 Person vor Ihnen");

            room.send("place", place("closed", 45, 0.9, "held", null));
            soon(() -> assertThat(browser.text("h1")).isEqualTo("Zurzeit geschlossen"));
            assertThat(browser.text("body")).doesNotContain("Personen vor Ihnen", "Schlange verlassen");
        });
    }

    @Test
    void onTheTurnTheSameAddressIsAskedForAgain() throws Exception {
        play("en", (browser, room) -> {
            listen(browser, room);
            room.letIn();
            room.send("turn", "{}");

            soon(() -> assertThat(browser.title()).isEqualTo("Inside"));
            assertThat(room.requests()).filteredOn(request -> request.equals("GET /tickets?show=7")).hasSize(2);
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
            room.letIn();
            soon(() -> {
                room.send("turn", "{}");
                assertThat(browser.title()).isEqualTo("Inside");
            });

            assertThat(room.requests()).filteredOn(request -> request.startsWith("POST")).hasSize(1);
            assertThat(room.requests()).contains("GET /tickets");
        });
    }

    @Test
    void aPageThatSaysItIsTheTurnEntersByItself() throws Exception {
        play("en", (browser, room) -> {
            room.state(new PageState.Turn());
            browser.open(room.address());
            assertThat(browser.text("h1")).isEqualTo("It is your turn");
            assertThat(browser.title()).isEqualTo("It is your turn – Lantern Festival");
            room.letIn();

            soon(() -> assertThat(browser.title()).isEqualTo("Inside"));
        });
    }

    @Test
    void whereEventsDoNotComeThePageAsks() throws Exception {
        play("en", (browser, room) -> {
            room.withoutEvents();
            room.ticket(place("waiting", 7, 0.95, "faster", null).replace("}", ",\"poll\":1}"));
            browser.open(room.address());
            soon(() -> assertThat(browser.text("#number")).isEqualTo("7"));
            room.letIn();
            room.ticket("{\"state\":\"turn\",\"poll\":1}");

            soon(() -> assertThat(browser.title()).isEqualTo("Inside"));
        });
    }

    @Test
    void aHiddenPageDoesNotAskAndGoesOnWhenItIsSeenAgain() throws Exception {
        play("en", (browser, room) -> {
            room.withoutEvents();
            room.ticket(place("waiting", 7, 0.95, "faster", null).replace("}", ",\"poll\":1}"));
            browser.open(room.address());
            hide(browser, true);
            room.ticket(place("waiting", 6, 0.96, "faster", null).replace("}", ",\"poll\":1}"));
            await().during(Duration.ofSeconds(3)).atMost(Duration.ofSeconds(5)).untilAsserted(() -> assertThat(browser
                    .text("#number")).isNotEqualTo("6"));
            hide(browser, false);

            soon(() -> assertThat(browser.text("#number")).isEqualTo("6"));
        });
    }

    @Test
    void aVoidTicketAsksForANewOne() throws Exception {
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
    void withoutScriptEverythingIsSaid() throws Exception {
        play("fr", (browser, room) -> {
            browser.script(false);
            browser.open(room.address());

            assertThat(browser.text("body")).contains("412", "personnes devant vous", "nviron 8 à 12 minutes",
                    "toutes les 20 secondes", "Vérifier maintenant", "Quitter la file", "Premier arrivé");
            assertThat(browser.text("body")).doesNotContain("Un son quand", "M’avertir");
            assertThat(room.requests()).noneMatch(request -> request.contains(".orderly"));
        });
    }

    @Test
    void theScriptSaysTheSameAsTheServerInEveryLanguage() throws Exception {
        for (Language language : Languages.all()) {
            play(language.tag(), (browser, room) -> {
                browser.script(false);
                browser.open(room.address());
                List<String> said = words(browser);
                browser.script(true);
                listen(browser, room);

                assertThat(words(browser)).as(language.tag()).isEqualTo(said);
            });
        }
    }

    @Test
    void pluralsAreThoseOfTheBrowser() throws Exception {
        play("en", (browser, room) -> {
            for (Language language : Languages.all()) {
                Object forms = browser
                        .eval("Array.from({length: 2000}, (_, n) => new Intl.PluralRules('" + language.tag()
                                + "').select(n))");
                List<String> ours = new ArrayList<>();
                for (int n = 0; n < 2000; n++) {
                    ours.add(language.plural().form(n));
                }
                assertThat(forms).as(language.tag()).isEqualTo(ours);
            }
        });
    }

    @Test
    void theLightAndTheDarkAreReadable() throws Exception {
        play("en", (browser, room) -> {
            for (boolean dark : List.of(false, true)) {
                browser.device(1280, 800, 1, dark);
                listen(browser, room);
                for (String part : List.of("#number", "#eta", "#note", "#place", "summary", "#sound")) {
                    assertThat(contrast(browser, part)).as("contrast of %s, dark: %s", part, dark).isGreaterThan(4.5);
                }
            }
            assertThat(browser.eval("getComputedStyle(document.body).backgroundColor")).isEqualTo("rgb(20, 19, 17)");
        });
    }

    @Test
    void thePageFitsASmallPhoneAndIsMarkedUpForThoseWhoListen() throws Exception {
        for (String language : List.of("de", "ar", "uk")) {
            play(language, (browser, room) -> {
                browser.device(320, 568, 1, false);
                room.state(new PageState.Waiting(new Standing(1_234_567, 1_234_566, 0, null, Cause.SLOWER_BACKLOG)));
                listen(browser, room);

                assertThat(browser.eval("document.documentElement.scrollWidth")).isEqualTo(320L);
                assertThat(browser.eval("document.documentElement.lang")).isEqualTo(language);
                assertThat(browser.find("#status").getAriaRole()).isEqualTo("status");
                assertThat(browser.find("#bar").getAriaRole()).isEqualTo("progressbar");
                assertThat(browser.find("#bar").getAccessibleName()).isNotEmpty();
                assertThat(browser.eval("[...document.querySelectorAll('main, header, footer, h1')].map(e => e.tagName)"
                        + ".join()")).isEqualTo("HEADER,MAIN,H1,FOOTER");
                assertThat(browser.eval("[...document.querySelectorAll('button, summary')].filter(e => e.offsetHeight)"
                        + ".every(e => e.offsetHeight >= 44)")).isEqualTo(true);
            });
        }
    }

    private void play(String language, Scene scene) throws Exception {
        if (installed.isPresent()) {
            try (ScriptedRoom room = new ScriptedRoom(language)) {
                scene.play(installed.get(), room);
                assertThat(installed.get().console()).noneMatch(line -> line.contains("Content Security Policy"));
                installed.get().open("about:blank");
            }
        }
    }

    private static void listen(Chromium browser, ScriptedRoom room) {
        browser.open(room.address());
        soon(() -> assertThat(room.isHeard()).isTrue());
    }

    private static void hide(Chromium browser, boolean hidden) {
        browser.eval("(() => {Object.defineProperty(document, 'hidden', {value: " + hidden + ", configurable: true});"
                + " document.dispatchEvent(new Event('visibilitychange'))})()");
    }

    /** A page that is just being replaced has no element to ask: that is no answer yet. */
    private static void soon(ThrowingRunnable claim) {
        await().atMost(Duration.ofSeconds(15)).ignoreExceptionsInstanceOf(WebDriverException.class)
                .untilAsserted(claim);
    }

    private static List<String> words(Chromium browser) {
        List<String> words = new ArrayList<>(List.of(browser.title()));
        for (String part : List.of("h1", "#place", "#ahead", "#eta", "#cause", "#check")) {
            words.add(browser.text(part));
        }
        return words;
    }

    private static String place(String state, long ahead, double progress, String cause,
            @Nullable String message) {
        return "{\"state\":\"%s\",\"place\":5318,\"ahead\":%d,\"progress\":%s,\"low\":180,\"high\":300,\"cause\":\"%s\","
                .formatted(state, ahead, progress, cause) + "\"message\":" + message + ",\"mode\":\"auto\"}";
    }

    /** After WCAG 2.2, of the text against the page behind it. */
    private static double contrast(Chromium browser, String part) {
        Object ratio = browser
                .eval("""
                        (() => {
                        const light = color => {
                        const [r, g, b] = color.match(/\\d+/g).map(n => n / 255).map(c => c <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4);
                        return .2126 * r + .7152 * g + .0722 * b + .05;
                        };
                        const a = light(getComputedStyle(document.querySelector('%s')).color), b = light(getComputedStyle(document.body).backgroundColor);
                        return Math.max(a, b) / Math.min(a, b) + .0001;
                        })()"""
                        .formatted(part));
        return ((Number) Objects.requireNonNull(ratio)).doubleValue();
    }
}
