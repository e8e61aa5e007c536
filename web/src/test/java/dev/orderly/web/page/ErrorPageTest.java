package dev.orderly.web.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.web.message.Response;
import dev.orderly.web.problem.Problem;
import dev.orderly.web.problem.ProblemType;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Problems as pages. */
class ErrorPageTest {
    private static final Problem PROBLEM = new Problem(ProblemType.BAD_GATEWAY, "10.0.0.7 <refused>")
            .withHeader("Retry-After", "7");

    @Test
    void programsGetTheProblemAsJson() {
        for (String accept : List.of("", "*/*", "application/json", "application/problem+json, text/html;q=0.9")) {
            Response answer = answer(PROBLEM, accept, "de");
            assertThat(text(answer)).startsWith("{").contains("10.0.0.7 <refused>");
        }
    }

    @Test
    void browsersGetAPageWithoutTechnicalDetailAndTheHeadersOfTheProblem() {
        Response answer = answer(PROBLEM, "text/html,*/*;q=0.8", "en");
        assertThat(answer.status()).isEqualTo(502);
        assertThat(text(answer)).contains("The site cannot be reached", "Try again", ">502<")
                .doesNotContain("10.0.0.7", "refused");
        assertThat(answer.headers()).anyMatch(header -> header.name().equals("Retry-After"));
    }

    @ParameterizedTest
    @CsvSource({"UNKNOWN_PATH, This page does not exist, Home page", "RATE_LIMIT, Too many requests, Try again",
            "ORIGIN_BUSY, The site is very busy, Try again", "GATEWAY_TIMEOUT, The site takes too long, Try again",
            "MISDIRECTED, This request cannot be answered, Home page"})
    void eachKindOfProblemSaysWhatTheVisitorCanDo(ProblemType type, String heading, String link) {
        assertThat(text(answer(new Problem(type, "x"), "text/html", "en"))).contains(heading, link);
    }

    @Test
    void everyLanguageHasItsPage() {
        for (Language language : Languages.all()) {
            Response answer = answer(PROBLEM, "text/html", language.tag());
            assertThat(text(answer)).contains("<html lang=\"" + language.tag() + "\"",
                    language.text("errorDownHeading"));
        }
    }

    private static Response answer(Problem problem, String accept, String language) {
        return ErrorPage.answer(problem, "/x", name -> switch (name) {
            case "Accept" -> accept.isEmpty() ? List.of() : List.of(accept);
            case "Accept-Language" -> List.of(language);
            default -> List.of();
        });
    }

    private static String text(Response answer) {
        return new String(answer.body(), StandardCharsets.UTF_8);
    }
}
