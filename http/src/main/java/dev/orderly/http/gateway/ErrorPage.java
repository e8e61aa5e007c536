package dev.orderly.http.gateway;

import dev.orderly.http.header.AnswerPreference;
import dev.orderly.http.message.RequestHead;
import dev.orderly.http.message.Response;
import dev.orderly.http.problem.Problem;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** A problem as an HTML page for clients that prefer pages, and as JSON for all others. */
final class ErrorPage {
    private static final String PAGE = """
            <!doctype html>
            <html lang="en">
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="robots" content="noindex">
            <title>{title}</title>
            <style>
              :root { color-scheme: light dark; --ink: #1c1f24; --soft: #5b6270; --ground: #f6f7f9; --card: #fff; }
              @media (prefers-color-scheme: dark) {
                :root { --ink: #e8eaee; --soft: #a0a7b4; --ground: #14161a; --card: #1d2025; }
              }
              body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: var(--ground);
                color: var(--ink); font: 1.0625rem/1.55 system-ui, sans-serif; }
              main { max-width: 30rem; margin: 1.5rem; padding: 2rem 2.25rem; background: var(--card);
                border-radius: .75rem; box-shadow: 0 1px 3px rgb(0 0 0 / .15); }
              h1 { margin: 0 0 .75rem; font-size: 1.4rem; line-height: 1.25; }
              p { margin: 0 0 .75rem; }
              a { color: inherit; }
              small { color: var(--soft); }
            </style>
            <main>
              <h1>{title}</h1>
              <p>{detail}</p>
              <p>{remedy}</p>
              <p><a href="">Try again</a></p>
              <small>Error {status}</small>
            </main>
            """;
    private static final String NOT_YOURS = "Nothing is wrong with your device or your connection."
            + " Please try again in a moment.";
    private static final String YOURS = "If you think this is a mistake, please tell the owner of this site.";

    private ErrorPage() {}

    static Response answer(Problem problem, RequestHead head) {
        if (AnswerPreference.of(head.headers().getAll("Accept")) != AnswerPreference.HTML) {
            return Response.problem(problem, head.path());
        }
        int status = problem.type().status();
        String page = PAGE.replace("{title}", escape(problem.type().title()))
                .replace("{detail}", escape(problem.detail()))
                .replace("{remedy}", status >= 500 ? NOT_YOURS : YOURS).replace("{status}", Integer.toString(status));
        Response answer = Response.of(status, "text/html; charset=utf-8", page.getBytes(StandardCharsets.UTF_8))
                .withHeader("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
                .withHeader("Vary", "Accept");
        for (Map.Entry<String, String> header : problem.headers().entrySet()) {
            answer = answer.withHeader(header.getKey(), header.getValue());
        }
        return answer;
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;");
    }
}
