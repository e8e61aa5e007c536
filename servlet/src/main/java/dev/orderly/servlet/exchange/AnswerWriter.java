package dev.orderly.servlet.exchange;

import dev.orderly.web.message.Header;
import dev.orderly.web.message.Response;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;

/** Writer of answers from memory, with the headers that listeners add. */
final class AnswerWriter {
    private static final String CACHE_CONTROL = "Cache-Control";
    private static final String CONTENT_TYPE = "Content-Type";

    private AnswerWriter() {}

    /** @param more headers besides those of the answer */
    static void write(HttpServletRequest request, HttpServletResponse response, Response answer, List<Header> more)
            throws IOException {
        response.setStatus(answer.status());
        add(response, answer.headers());
        add(response, more);
        if (!response.containsHeader(CACHE_CONTROL)) {
            response.setHeader(CACHE_CONTROL, "no-store");
        }
        response.setHeader("X-Content-Type-Options", "nosniff");
        if (answer.status() == 204 || answer.status() == 304) {
            return;
        }
        response.setContentLength(answer.body().length);
        if (!request.getMethod().equals("HEAD") && answer.body().length > 0) {
            response.getOutputStream().write(answer.body());
        }
    }

    /** Sets the head of an event stream, whose parts proxies have to pass on at once and unchanged. */
    static void beginEvents(HttpServletResponse response, List<Header> headers, List<Header> more) {
        response.setStatus(HttpServletResponse.SC_OK);
        response.setContentType("text/event-stream");
        add(response, headers);
        add(response, more);
        response.setHeader("X-Accel-Buffering", "no");
        if (!response.containsHeader(CACHE_CONTROL)) {
            response.setHeader(CACHE_CONTROL, "no-store, no-transform");
        }
    }

    private static void add(HttpServletResponse response, List<Header> headers) {
        for (Header header : headers) {
            if (header.name().equalsIgnoreCase(CONTENT_TYPE)) {
                response.setContentType(header.value());
            } else {
                response.addHeader(header.name(), header.value());
            }
        }
    }
}
