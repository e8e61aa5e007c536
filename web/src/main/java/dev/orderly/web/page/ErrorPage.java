package dev.orderly.web.page;

import com.samskivert.mustache.Mustache;
import com.samskivert.mustache.Template;
import dev.orderly.web.header.AnswerPreference;
import dev.orderly.web.message.Response;
import dev.orderly.web.problem.Problem;
import dev.orderly.web.problem.Problems;
import dev.orderly.web.route.RequestRouter.Refused;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * A problem as a page in the visitor's language for clients that prefer pages, and as JSON for all others. The page
 * names no technical reason: that is in the JSON.
 */
public final class ErrorPage {
    private static final Template PAGE = Mustache.compiler().defaultValue("").emptyStringIsFalse(true)
            .compile(PageAsset.lines(ErrorPage.class, "error.html"));
    private static final String STYLE = PageAsset.style();
    private static final String POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'";

    private static final long RELOAD = 15;
    private static final long RELOAD_LEAST = 5;
    private static final long RELOAD_MOST = 300;

    private ErrorPage() {}

    /**
     * The answer to a refused request. A page that was read, and may be answered later, asks again by itself; after a
     * form it does not, since the text says what to check first.
     */
    public static Response answer(Problem problem, Refused refused) {
        Function<String, List<String>> headers = refused.headers();
        if (AnswerPreference.of(headers.apply("Accept")) != AnswerPreference.HTML) {
            return Response.problem(problem, refused.path());
        }
        Language language = Languages.choose(headers.apply("Accept-Language"));
        int status = problem.type().status();
        String kind = kind(status);
        boolean reload = retries(status) && refused.method().equals("GET");
        long seconds = seconds(problem);
        Map<String, Object> values = new HashMap<>(Map.of("lang", language.tag(), "dir", language.text("dir"),
                "heading", language.text(kind + "Heading"), "text", language.text(kind + "Text"), "again",
                language.text("errorAgain"), "home", language.text("errorHome"), "retries", retries(status), "status",
                status, "style", STYLE, "host", refused.host()));
        values.put("reload", reload ? Long.toString(seconds) : null);
        values.put("note", reload ? language.counted("refreshNote", seconds) : null);
        String page = PAGE.execute(values);
        return Response.html(status, page)
                .withHeader("Content-Language", language.tag()).withHeader("Content-Security-Policy", POLICY)
                .withHeader("Vary", "Accept, Accept-Language").withHeaders(problem.headers());
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

    /** The pause before the page asks again: as the problem says, within bounds. */
    private static long seconds(Problem problem) {
        String after = problem.headers().getOrDefault(Problems.RETRY_AFTER, "");
        boolean number = after.matches("[0-9]{1,6}");
        return number ? Math.clamp(Long.parseLong(after), RELOAD_LEAST, RELOAD_MOST) : RELOAD;
    }

    private static boolean retries(int status) {
        return status == 429 || status >= 500;
    }
}
