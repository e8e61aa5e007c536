package dev.orderly.web.room.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.room.forecast.PeopleAhead;
import dev.orderly.room.forecast.WaitEstimate;
import dev.orderly.text.LocalizedText;
import dev.orderly.web.page.Language;
import dev.orderly.web.page.Languages;
import dev.orderly.web.page.ReaderLanguages;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Content of the page in every state and language. */
class WaitingPageTest {
    /** Letters of two bytes make the pages of Arabic and Ukrainian longer, and a lobby has its countdown. */
    private static final int BYTES_MAX = 20_500;

    private final WaitingPage page = Pages.standard();

    @Test
    void everyStateIsCompleteInEveryLanguage() {
        for (Language language : Languages.all()) {
            for (PageState state : Pages.STATES) {
                String html = Pages.html(page, Pages.view(state, null), language.tag());

                assertThat(html).startsWith("<!DOCTYPE html>\n<html lang=\"" + language.tag() + "\" dir=\"")
                        .contains(PageKind.of(state).heading(language), "Lantern Festival")
                        .doesNotContain("{{", "{n}</",
                                TemplateSlot.MARK + "")
                        .endsWith("</html>");
                assertThat(html.getBytes(StandardCharsets.UTF_8)).hasSizeLessThan(BYTES_MAX);
            }
        }
    }

    @Test
    void aPageInEnglishIsSmall() {
        assertThat(page.render(Pages.view(Pages.WAITING, null), ReaderLanguages.of(Languages.ENGLISH)))
                .hasSizeLessThan(16 << 10);
    }

    @Test
    void aPageInEnglishWithTiersInvitationsAndMovesIsSmall() {
        ShownPosition place = new ShownPosition(5_318, PeopleAhead.known(412), 0.61, Pages.STANDING.estimate(),
                WaitEstimate.Cause.SLOWER_BUSY, false, "members");
        ShownLimits rule = new ShownLimits(Pages.RULE.rate(), Pages.RULE.capacity(),
                List.of(new ShownLimits.Tier("members", 20), new ShownLimits.Tier("press", 5)));
        PageView view = new PageView(new PageState.Waiting(place), rule, null, Duration.ofSeconds(20),
                "/.orderly/rooms/sale/move", "/.orderly/rooms/sale/invitation");
        assertThat(page.render(view, ReaderLanguages.of(Languages.ENGLISH))).hasSizeLessThan(16 << 10);
        for (Language language : Languages.all()) {
            assertThat(Pages.html(page, view, language.tag()).getBytes(StandardCharsets.UTF_8)).as(language.tag())
                    .hasSizeLessThan(BYTES_MAX);
        }
    }

    @Test
    void aVisitorSeesPlaceWaitAndReason() {
        assertThat(Pages.html(page, Pages.view(Pages.WAITING, null), "en")).contains(">Ticket no. 5,318<", ">412<",
                ">people before you<", "aria-valuenow=\"61\"", ">about 8 to 12 minutes<",
                ">Slower than before: the site is very busy.<", "Up to 20 visitors enter each minute.",
                "No more than 200 visitors are inside", "to the front of the line, not to its end",
                "<title>412 · You are in line – Lantern Festival</title>",
                "<meta http-equiv=\"refresh\" content=\"20\">", "This page checks every 20 seconds.",
                "action=\"/.orderly/rooms/sale/ticket\"", "name=\"action\" value=\"leave\"");
    }

    @Test
    void aLobbyWithADrawSaysSoAndProvesItAndADrawnPlaceHasAReceipt() {
        assertThat(Pages.html(page, Pages.view(Pages.drawnLobby(false), null), "en")).contains(
                "The places are drawn by lot at the opening.", "5e".repeat(32), "href=\"/.orderly/rooms/sale/draw\"",
                "80,000 people wait for about 5,000 places.", "getRandomValues").doesNotContain("First come");
        assertThat(Pages.html(page, Pages.view(Pages.drawnLobby(true), null), "de"))
                .contains("werden gerade ausgelost", "role=\"timer\" hidden").doesNotContain("getRandomValues");
        assertThat(Pages.html(page,
                Pages.view(new PageState.Waiting(new ShownPosition(5318, PeopleAhead.known(412), 0.61,
                        null, WaitEstimate.Cause.STEADY, true, null)), null),
                "en"))
                .contains("href=\"/.orderly/rooms/sale/receipt\">Your place was drawn").doesNotContain("First come");
        assertThat(Pages.html(page, Pages.view(Pages.WAITING, null), "en")).contains("First come")
                .doesNotContain("receipt");
    }

    @Test
    void recentEstimatesAreShownBesideARangeOnlyIfTheyAreKnown() {
        for (Integer kept : new Integer[]{8, null}) {
            ShownWait wait = new ShownWait(Duration.ofMinutes(8), Duration.ofMinutes(12), kept);
            String html = Pages.html(page,
                    Pages.view(new PageState.Waiting(new ShownPosition(5318, PeopleAhead.known(412), 0.61, wait,
                            WaitEstimate.Cause.STEADY)), null),
                    "en");
            assertThat(html).contains(kept == null
                    ? "<p id=\"kept\" hidden></p>"
                    : "<p id=\"kept\">Estimates that held in the last hour: 8\u00a0of\u00a010.</p>");
        }
        ShownWait unbounded = new ShownWait(Duration.ofHours(2), null, 8);
        assertThat(Wording.kept(Languages.ENGLISH, unbounded)).isNull();
    }

    @Test
    void aLobbyTellsItsTimeInTheWordsOfTheLanguageAndWhoHopesForWhat() {
        assertThat(Pages.html(page, Pages.view(Pages.lobby(Pages.OPENS.minusMinutes(30)), null), "en")).contains(
                ">Not open yet<", "We open on 2027-03-01 10:00 (Europe/Berlin).",
                "Your place is kept", "data-in=\"1499\">00:24:59<", "80,000 people wait for about 5,000 places.",
                "<s class=\"time\">Announced before: 2027-03-01 09:30 (Europe/Berlin).</s>",
                ">Ticket no. 1,431<").doesNotContain("id=\"eta\">not known");
        assertThat(Pages.html(page, Pages.view(Pages.lobby(null), null), "de")).contains(
                "Wir öffnen am 2027-03-01 10:00 (Europe/Berlin).",
                "80.000 Personen warten auf etwa 5.000 Plätze.").doesNotContain("<s>");
        assertThat(Pages.html(page, Pages.view(Pages.lobby(null), null), "ar")).contains("2027-03-01 10:00");
    }

    @Test
    void beforeTheLobbyThePageSaysWhenPlacesAreGivenAndWhatWasCancelled() {
        PageState opens = new PageState.Opens(new ShownOpening(Pages.OPENS, Duration.ofHours(49),
                Pages.OPENS.minusMinutes(30), new ShownOpening.Change(null, Pages.OPENS.minusDays(1)), null));
        assertThat(Pages.html(page, Pages.view(opens, null), "en"))
                .contains("<p role=\"timer\" hidden>", "data-in=\"176400\"><",
                        "The opening on 2027-02-28 10:00 (Europe/Berlin) was cancelled. We open",
                        "Places in line are given from 2027-03-01 09:30")
                .doesNotContain("Ticket no.", "id=\"leave\"");
        assertThat(Pages.html(page, Pages.view(new PageState.Closed(Pages.OPENS), null), "en"))
                .contains("Closed for now", "The opening on \u20662027\u201103\u201101 10:00 (Europe/Berlin)\u2069 was")
                .doesNotContain("come back later");
    }

    @Test
    void whileThePlacesAreDrawnThePageSaysThatAndNotWhenItOpened() {
        assertThat(Pages.html(page, Pages.view(Pages.drawnLobby(true), null), "en"))
                .contains("<p class=\"lead time\">The places are being drawn.", "Your place is kept")
                .doesNotContain("We open on");
    }

    @Test
    void aVisitorWithoutAPlaceSeesNoPlace() {
        String html = Pages.html(page, Pages.view(new PageState.TooMany(Duration.ofSeconds(1)), null), "en");

        assertThat(html).contains("tries again in 1 second.").doesNotContain("id=\"line\"", "id=\"leave\"",
                "Ticket no.",
                "Leave the line");
    }

    @Test
    void theFirstVisitorInLineIsToldSo() {
        PageState next = new PageState.Waiting(
                new ShownPosition(7, PeopleAhead.known(0), 1, null, WaitEstimate.Cause.LEARNING));

        assertThat(Pages.html(page, Pages.view(next, null), "en")).contains(">You are next<", "not known yet",
                "aria-valuenow=\"100\"").doesNotContain("0 people");
    }

    @Test
    void aNumberOfPeopleThatIsNotKnownYetIsSaidToBeTheMost() {
        PageState first = new PageState.Waiting(new ShownPosition(297, new PeopleAhead(296, false), 0, null,
                WaitEstimate.Cause.LEARNING));

        assertThat(Pages.html(page, Pages.view(first, null), "en")).contains(">up to<", ">296<", ">people before you<");
        assertThat(Pages.html(page, Pages.view(first, null), "de")).contains(">höchstens<", ">Personen vor Ihnen<");
        assertThat(Pages.html(page, Pages.view(first, null), "ar")).contains(">على الأكثر<");
    }

    @Test
    void aMessageIsTextAndNeverMarkup() throws Exception {
        String evil = "</script><script>alert('1')</script> & \"more\"\nsecond \u2028 line";

        String html = Pages.html(page, Pages.view(Pages.WAITING, evil), "en");

        assertThat(html).contains("&lt;/script&gt;&lt;script&gt;alert(&#39;1&#39;)")
                .doesNotContain("alert('1')</script>");
        assertThat(now(html).get("message").asString()).isEqualTo(evil);
    }

    @Test
    void settingsAreTextAndNeverMarkup() {
        String evil = "\"><img src=x onerror=alert(1)>";
        WaitingPage dressed = Pages.with(
                new PageLook(LocalizedText.of(evil), LocalizedText.of(evil), new Logo("data:image/png;base64,AAAA"),
                        ":root{--accent:#a3123a}", HelpLink.of(evil, "/help?a=1&b=2")));

        assertThat(Pages.html(dressed, Pages.view(Pages.WAITING, null), "en")).doesNotContain("<img src=x").contains(
                ":root{--accent:#a3123a}</style>", "src=\"data:image/png;base64,AAAA\"",
                "href=\"/help?a=1&amp;b=2\"");
    }

    @Test
    void aHelpLinkWithoutTextIsTheWordForHelpInTheLanguageOfThePage() {
        WaitingPage dressed = Pages.with(new PageLook(LocalizedText.of("Lanterns"), null, null, "",
                new HelpLink(null, LocalizedText.of("/help"))));
        assertThat(Pages.html(dressed, Pages.view(Pages.WAITING, null), "de"))
                .contains("<a href=\"/help\" dir=\"auto\" lang=\"de\">Hilfe</a>");
        assertThat(Pages.html(dressed, Pages.view(Pages.WAITING, null), "ja")).contains(">ヘルプ</a>");
    }

    @Test
    void aSmallNumberOfKeptEstimatesIsNotTold() {
        assertThat(ShownWait.told(OptionalInt.of(7))).isEqualTo(7);
        assertThat(ShownWait.told(OptionalInt.of(6))).isNull();
        assertThat(ShownWait.told(OptionalInt.empty())).isNull();
    }

    @Test
    void settingsAreShownInTheLanguageOfTheReader() {
        WaitingPage dressed = Pages.with(new PageLook(LocalizedText.of(Map.of("en", "Lanterns", "de", "Laternen")),
                LocalizedText.of(Map.of("default", "Doors open at ten.", "fi", "Ovet avataan kymmeneltä.")), null, "",
                new HelpLink(LocalizedText.of(Map.of("en", "Help", "de", "Hilfe")),
                        LocalizedText.of(Map.of("en", "/help", "de", "/de/hilfe")))));

        assertThat(Pages.html(dressed, Pages.view(Pages.WAITING, null), "de-CH, fi;q=0.1")).contains(
                "<p dir=\"auto\" lang=\"de\">Laternen</p>", "Sie sind in der Warteschlange – Laternen</title>",
                "<p id=\"text\" dir=\"auto\" lang=\"fi\">Ovet avataan kymmeneltä.</p>",
                "<a href=\"/de/hilfe\" dir=\"auto\" lang=\"de\">Hilfe</a>");
        assertThat(Pages.html(dressed, Pages.view(Pages.WAITING, null), "fr")).contains("lang=\"en\">Lanterns</p>",
                "lang=\"fr\">Doors open at ten.</p>", "<a href=\"/help\" dir=\"auto\" lang=\"en\">Help</a>");
    }

    @Test
    void theScriptStartsFromWhatThePageShows() throws Exception {
        JsonNode now = now(Pages.html(page, Pages.view(Pages.WAITING, null), "uk"));

        assertThat(now.toString()).isEqualTo(
                "{\"state\":\"waiting\",\"title\":\"Lantern Festival\",\"message\":null,\"refresh\":20,\"place\":5318,"
                        + "\"ahead\":412,\"aheadKnown\":true,\"progress\":0.61,\"low\":480,\"high\":720,\"kept\":8,"
                        + "\"cause\":\"slower-busy\"}");
    }

    @Test
    void thePolicyAllowsExactlyTheStyleAndScriptOfThePage() throws Exception {
        for (PageState state : Pages.STATES) {
            List<String> plain = hashes(Pages.html(page, Pages.view(state, "news"), "ar"));
            boolean opens = state instanceof PageState.Lobby || state instanceof PageState.Opens;
            assertThat(plain).hasSize(opens ? 4 : state instanceof PageState.Working ? 3 : 2)
                    .allMatch(page.contentSecurityPolicy()::contains);
        }
        PageView movable = new PageView(Pages.drawnLobby(false), Pages.RULE, null,
                Duration.ofSeconds(20), "/link", null);
        List<String> all = hashes(Pages.html(page, movable, "ar"));
        String work = hashes(Pages.html(page, Pages.view(new PageState.Working("{}"), null), "ar")).get(1);
        assertThat(page.contentSecurityPolicy()).isEqualTo("default-src 'none'; style-src " + all.get(0) + " "
                + all.get(1) + " " + all.get(2) + "; script-src " + all.get(3) + " " + all.get(4) + " " + work + " "
                + all.get(5) + "; img-src 'self' data:; font-src"
                + " 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'self'");
    }

    /** The styles, then the scripts. */
    private static List<String> hashes(String html) throws Exception {
        List<String> hashes = new ArrayList<>();
        Matcher block = Pattern.compile("<(?:style|script)>(.*?)</", Pattern.DOTALL).matcher(html);
        while (block.find()) {
            hashes.add("'sha256-" + Base64.getEncoder().encodeToString(MessageDigest.getInstance("SHA-256").digest(
                    block.group(1).getBytes(StandardCharsets.UTF_8))) + "'");
        }
        return hashes;
    }

    @Test
    void nothingIsLoadedFromElsewhere() {
        String html = Pages.html(page, Pages.view(Pages.WAITING, null), "en").replace("http://www.w3.org/2000/svg", "");

        assertThat(html).doesNotContain("http:", "https:", "src=\"/", "@import", "url(");
    }

    @Test
    void manyThreadsRenderTheSamePageAtOnce() {
        byte[] expected = Pages.standard().render(Pages.view(Pages.WAITING, "a"),
                ReaderLanguages.of(Languages.ENGLISH));

        assertThat(IntStream.range(0, 64).parallel().mapToObj(_ -> page.render(Pages.view(Pages.WAITING,
                "a"), ReaderLanguages.of(Languages.ENGLISH)))).allMatch(body -> Arrays.equals(body, expected));
    }

    @Test
    void valuesOutOfBoundsAreRefused() {
        assertThatThrownBy(() -> Pages.view(Pages.WAITING, "x".repeat(1001))).hasMessageContaining("1001 characters");
        assertThatThrownBy(() -> new PageView(Pages.WAITING, ShownLimits.NONE, null, Duration.ZERO))
                .hasMessageContaining(
                        "use 1 s to 1 h");
        assertThatThrownBy(() -> new ShownPosition(0, PeopleAhead.known(0), 0, null, WaitEstimate.Cause.STEADY))
                .hasMessageContaining("from 1");
        assertThatThrownBy(
                () -> new ShownPosition(1, PeopleAhead.known(0), Double.NaN, null, WaitEstimate.Cause.STEADY))
                .hasMessageContaining("NaN");
        assertThatThrownBy(() -> new ShownWait(Duration.ofSeconds(2), Duration.ofSeconds(1))).hasMessageContaining(
                "not a range");
        assertThatThrownBy(() -> new ShownLimits.Rate(0, Duration.ofSeconds(1))).hasMessageContaining("at least one");
    }

    private static JsonNode now(String html) {
        Matcher data = Pattern.compile("id=\"data\">(.*?)</script>").matcher(html);
        assertThat(data.find()).isTrue();
        return JsonMapper.shared().readTree(data.group(1)).get("now");
    }
}
