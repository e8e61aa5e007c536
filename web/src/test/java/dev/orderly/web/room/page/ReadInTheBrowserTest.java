package dev.orderly.web.room.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.room.forecast.PeopleAhead;
import dev.orderly.room.forecast.WaitEstimate;
import dev.orderly.web.browser.Chromium;
import dev.orderly.web.page.Language;
import dev.orderly.web.page.Languages;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Content and accessibility of the page in a browser, in every language. */
@Tag("slow")
class ReadInTheBrowserTest extends BrowserScenes {
    @Test
    void theScriptShowsTheSameTextAsTheServerInEveryLanguage() throws Exception {
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
    void pluralsEqualThoseOfTheBrowser() throws Exception {
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
    void lightAndDarkAreReadable() throws Exception {
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
    void thePageFitsASmallPhoneAndIsMarkedUpForScreenReaders() throws Exception {
        for (String language : List.of("de", "ar", "uk")) {
            play(language, (browser, room) -> {
                browser.device(320, 568, 1, false);
                room.state(new PageState.Waiting(
                        new ShownPosition(1_234_567, PeopleAhead.known(1_234_566), 0, null,
                                WaitEstimate.Cause.SLOWER_BACKLOG)));
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

    private static List<String> words(Chromium browser) {
        List<String> words = new ArrayList<>(List.of(browser.title()));
        for (String part : List.of("h1", "#place", "#ahead", "#eta", "#kept", "#cause", "#check")) {
            words.add(browser.text(part));
        }
        return words;
    }

    /** The contrast of the text against its background, as WCAG 2.2 defines it. */
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
