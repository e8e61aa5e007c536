package dev.orderly.web.path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Patterns with conditions on the query. */
class RequestPatternTest {
    private static final QueryPattern EVENT = QueryPattern.parse("event=a b&vip");

    @ParameterizedTest
    @ValueSource(strings = {"event=a+b&vip", "vip=1&event=a%20b", "x=1&event=%61+b&vip=", "%65vent=a+b&vip"})
    void parametersAreDecodedOnceInAnyOrder(String query) {
        assertThat(EVENT.mayMatch(query)).isTrue();
        assertThat(EVENT.surelyMatches(query)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "vip", "event=a+b", "event=c&vip", "event=a%2520b&vip", "events=a+b&vip"})
    void anotherQueryDoesNotMatch(String query) {
        assertThat(EVENT.mayMatch(query)).isFalse();
        assertThat(EVENT.surelyMatches(query)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"event=a+b&event=c&vip", "event=c&event=a+b&vip", "EVENT=a+b&vip", "event=A+B&vip",
            "x;event=a+b;vip", "event=a+b&vip&x=%zz", "event=a+b&vip&x=%ff"})
    void aQueryThatSitesReadInDifferentWaysMayMatchButNotSurely(String query) {
        assertThat(EVENT.mayMatch(query)).isTrue();
        assertThat(EVENT.surelyMatches(query)).isFalse();
    }

    @Test
    void aQueryOfAnyLengthIsBounded() {
        String query = "a&".repeat(5_000) + "event=a+b&vip";
        assertThat(EVENT.mayMatch(query)).as("unread, so that nobody hides a parameter behind many others").isTrue();
        assertThat(EVENT.surelyMatches(query)).isFalse();
    }

    @Test
    void aPatternWithoutConditionsMatchesEveryQuery() {
        assertThat(RequestPattern.parse("/a").surelyMatches(RequestPath.of("/a"), null)).isTrue();
        assertThat(RequestPattern.parse("/a").mayMatch(RequestPath.of("/a"), "%zz")).isTrue();
        assertThat(RequestPattern.parse("/a?b").mayMatch(RequestPath.of("/a"), null)).isFalse();
    }

    @Test
    void theMoreSpecificPathComesFirstThenTheOneWithMoreConditions() {
        Stream<String> texts = Stream.of("/**", "/shop/**?event=1", "/shop/**", "/shop/vip", "/shop/**?event=1&day=2");
        assertThat(texts.map(RequestPattern::parse).sorted().map(RequestPattern::text)).containsExactly("/shop/vip",
                "/shop/**?event=1&day=2", "/shop/**?event=1", "/shop/**", "/**");
    }

    @Test
    void aPatternThatCannotBeMeantIsRefused() {
        for (String text : List.of("/a?", "/a?=1", "/a?b=%20", "/a?b;c", "/a?b&", "/a?" + "b&".repeat(8) + "c")) {
            assertThatThrownBy(() -> RequestPattern.parse(text)).as(text).hasMessageStartingWith("Query pattern ");
        }
    }
}
