package dev.orderly.web.page;

import com.samskivert.mustache.Mustache;
import com.samskivert.mustache.Template;
import dev.orderly.web.header.AnswerPreference;
import dev.orderly.web.message.Response;
import dev.orderly.web.problem.Problem;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * A problem as a page in the visitor's language for clients that prefer pages, and as JSON for all others. The page
 * names no technical reason: that is in the JSON.
 */
public final class ErrorPage {
    private static final Template PAGE = Mustache.compiler().compile(PageAsset.lines(ErrorPage.class, "error.html"));
    private static final String STYLE = PageAsset.style();
    private static final String POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'";

    private ErrorPage() {}

    /**
     * The answer to a request.
     *
     * @param path of the request
     * @param headers the values of the request's header with a name; empty for none
     */
    public static Response answer(Problem problem, String path, Function<String, List<String>> headers) {
        if (AnswerPreference.of(headers.apply("Accept")) != AnswerPreference.HTML) {
            return Response.problem(problem, path);
        }
        Language language = Languages.choose(headers.apply("Accept-Language"));
        int status = problem.type().status();
        String kind = kind(status);
        String page = PAGE.execute(Map.of("lang", language.tag(), "dir", language.text("dir"), "heading",
                language.text(kind + "Heading"), "text", language.text(kind + "Text"), "again",
                language.text("errorAgain"), "home", language.text("errorHome"), "retries", retries(status), "status",
                status, "style", STYLE));
        Response answer = Response.of(status, "text/html; charset=utf-8", page.getBytes(StandardCharsets.UTF_8))
                .withHeader("Content-Language", language.tag()).withHeader("Content-Security-Policy", POLICY)
                .withHeader("Vary", "Accept, Accept-Language");
        for (Map.Entry<String, String> header : problem.headers().entrySet()) {
            answer = answer.withHeader(header.getKey(), header.getValue());
        }
        return answer;
    }

    private static String kind(int status) {
        return switch (status) {
            case 404 -> "errorMissing";
            case 429 -> "errorTooMany";
            case 502 -> "errorDown";
            case 503 -> "errorBusy";
            case 504 -> "errorSlow";
            default -> "errorOther";
        };
    }

    private static boolean retries(int status) {
        return status == 429 || status >= 500;
    }
}
