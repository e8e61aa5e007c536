package dev.orderly.web.header;

import static dev.orderly.web.header.AnswerPreference.HTML;
import static dev.orderly.web.header.AnswerPreference.JSON;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PreferenceTest {
    @ParameterizedTest
    @ValueSource(strings = {
            "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
            "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,"
                    + "application/signed-exchange;v=b3;q=0.7",
            "text/html, application/xhtml+xml, image/jxr, */*"})
    void aBrowserThatAsksForAPageGetsAPage(String accept) {
        assertThat(AnswerPreference.of(List.of(accept))).isEqualTo(HTML);
    }

    @ParameterizedTest
    @ValueSource(strings = {"*/*", "application/json, text/plain, */*", "application/json", "application/problem+json",
            "application/json;charset=utf-8", "image/avif,image/webp,image/png,*/*;q=0.8", "text/css,*/*;q=0.1",
            "text/event-stream", "application/*", "image/png", ""})
    void programsAndPartsOfPagesGetJson(String accept) {
        assertThat(AnswerPreference.of(List.of(accept))).isEqualTo(JSON);
    }

    @Test
    void withoutAnAcceptHeaderTheAnswerIsJson() {
        assertThat(AnswerPreference.of(List.of())).isEqualTo(JSON);
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/html", "TEXT/HTML", "text/*", "application/json;q=0.5, text/html;q=0.6",
            "application/json;q=0.999,text/html", "text/html;level=1",
            "text/html;q=0.5;a=\"\\\",application/json,\\\"\"", "text/html;charset=\"a,b;q=0\"",
            "text/html, application/json", "text/html, application/json;q=1.0", "*/*, text/html",
            "application/json;q=0, application/problem+json;q=0, */*;q=0.1",
            "text/html;q=0.001", "*/*;q=0.9, text/html;q=0.9", "text/html; q=0.3, application/*;q=0.2",
            "text/*;q=0.5, */*;q=0.5", ",,text/html,,", "text/html ; Q = 0.5", "text/html;q=.2, application/json;q=.1",
            "text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2", "text/html;q=1.5, application/json;q=0.9"})
    void aPageIsPreferred(String accept) {
        assertThat(AnswerPreference.of(List.of(accept))).isEqualTo(HTML);
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/json, text/html", "text/html;q=0.5, application/json;q=0.6",
            "text/html;q=0", "text/html;q=0, */*", "text/html;q=0.0, text/*", "text/*, application/json",
            "application/problem+json, text/html;q=0.9", "text/html;q=0.8, application/*", "text/html;q=0.8, */*;q=0.9",
            "text/html;q=x, */*", "text/html;q=, */*", "text/html;q=0.5.5, */*", "text/html;q=-1, */*",
            "text/html;q=0;x=1, */*", "text /html, */*", "text/html/x, */*", "text, html, */*", "*/html, */*",
            "application/json;q=0, */*",
            "text/**", "te*", "text/html;q=0.0009", "\"text/html\"", "\"text/html, text/html"})
    void jsonIsPreferred(String accept) {
        assertThat(AnswerPreference.of(List.of(accept))).isEqualTo(JSON);
    }

    @Test
    void severalHeadersAreOneList() {
        assertThat(AnswerPreference.of(List.of("application/json;q=0.5", "text/html"))).isEqualTo(HTML);
        assertThat(AnswerPreference.of(List.of("application/json", "text/html"))).isEqualTo(JSON);
    }

    @Test
    void atMostFiftyRangesCount() {
        assertThat(AnswerPreference.of(List.of("image/png,".repeat(49) + "text/html"))).isEqualTo(HTML);
        assertThat(AnswerPreference.of(List.of("image/png,".repeat(50) + "text/html"))).isEqualTo(JSON);
        assertThat(AnswerPreference.of(List.of("image/png,".repeat(30), "image/png,".repeat(20), "text/html")))
                .isEqualTo(JSON);
    }

    @Test
    void aHeaderOf100KilobytesIsReadInLinearTime() {
        for (String part : List.of(",", ";", "\"", "\\", "a", " ", "q=", ";q=0", "\"\\\"", "*/*,",
                "text/html;q=0.5,")) {
            String accept = part.repeat(100_000 / part.length());
            assertThat(AnswerPreference.of(List.of(accept))).isNotNull();
            assertThat(WeightedValue.read(List.of(accept))).hasSizeLessThanOrEqualTo(WeightedValue.ITEMS_MAX);
        }
    }

    @Test
    void junkNeverThrowsAndDoesNotHideValidElements() {
        Junk junk = new Junk(6, List.of("text/html", "application/json", "*/*", ";q=0.5", ";q=1", ", ", "text/*"));
        for (int i = 0; i < 50_000; i++) {
            String text = junk.next();
            assertThat(WeightedValue.read(List.of(text))).as(text).allMatch(item -> item.weight() >= 0
                    && item.weight() <= WeightedValue.WHOLE && !item.value().isEmpty());
            assertThat(AnswerPreference.of(List.of(text, "application/json"))).isNotNull();
            String clean = text.replace("\"", "").replace("html", "htm").replace('*', '+');
            assertThat(AnswerPreference.of(List.of(clean.replace("json", "jso"), "text/html"))).as(clean)
                    .isEqualTo(HTML);
        }
    }
}
