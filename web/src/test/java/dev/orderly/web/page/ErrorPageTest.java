package dev.orderly.web.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.web.message.Response;
import dev.orderly.web.problem.Problem;
import dev.orderly.web.problem.ProblemType;
import dev.orderly.web.route.RequestRouter.Refused;
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

    @Test
    void aPageCarriesTheNameOfItsSiteAndAsksAgainByItselfUnlessAFormWasSent() {
        String page = text(answer(PROBLEM, "text/html", "en"));
        assertThat(page).contains("<p dir=\"ltr\">shop.example&lt;.com</p>", "– shop.example&lt;.com</title>",
                "http-equiv=\"refresh\" content=\"7\"", "This page checks every 7 seconds");
        assertThat(text(answer(new Problem(ProblemType.ORIGIN_BUSY, "x").withHeader("Retry-After", "soon"), "GET",
                "text/html", "en"))).contains("content=\"15\"");
        assertThat(text(answer(new Problem(ProblemType.ORIGIN_BUSY, "x").withHeader("Retry-After", "0"), "GET",
                "text/html", "en"))).contains("content=\"5\"");
        assertThat(text(answer(PROBLEM, "POST", "text/html", "en"))).contains("Try again")
                .doesNotContain("refresh", "checks every");
        assertThat(text(answer(new Problem(ProblemType.UNKNOWN_PATH, "x"), "text/html", "en")))
                .doesNotContain("refresh", "checks every");
    }

    private static Response answer(Problem problem, String accept, String language) {
        return answer(problem, "GET", accept, language);
    }

    private static Response answer(Problem problem, String method, String accept, String language) {
        return ErrorPage.answer(problem, new Refused(method, "shop.example<.com", "/x", name -> switch (name) {
            case "Accept" -> accept.isEmpty() ? List.of() : List.of(accept);
            case "Accept-Language" -> List.of(language);
            default -> List.of();
        }));
    }

    private static String text(Response answer) {
        return new String(answer.body(), StandardCharsets.UTF_8);
    }
}
