package dev.orderly.http.listener;

import dev.orderly.time.Time;
import dev.orderly.web.message.Header;
import dev.orderly.web.message.Response;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;

/** Writer of answers from memory. Thread-safe. */
final class ResponseWriter {
    /** IMF-fixdate of RFC 9110, section 5.6.7; the JDK's RFC 1123 format drops the zero of a day below ten. */
    private static final DateTimeFormatter FIXDATE = DateTimeFormatter
            .ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US).withZone(ZoneOffset.UTC);
    private static final CharSequence CACHE_CONTROL = HttpHeaders.createOptimized("Cache-Control");
    private static final CharSequence CONTENT_LENGTH = HttpHeaders.createOptimized("Content-Length");
    static final CharSequence DATE = HttpHeaders.createOptimized("Date");
    private static final CharSequence NO_STORE = HttpHeaders.createOptimized("no-store");
    private static final CharSequence NO_TRANSFORM = HttpHeaders.createOptimized("no-store, no-transform");
    private static final CharSequence BUFFERING = HttpHeaders.createOptimized("X-Accel-Buffering");
    private static final CharSequence OPTIONS = HttpHeaders.createOptimized("X-Content-Type-Options");
    private static final CharSequence NO_SNIFF = HttpHeaders.createOptimized("nosniff");

    private final Time time;
    private final AtomicReference<Second> second = new AtomicReference<>(new Second(Long.MIN_VALUE, ""));

    private record Second(long epoch, CharSequence text) {}

    ResponseWriter(Time time) {
        this.time = time;
    }

    /**
     * Writes head and body.
     *
     * @param more headers besides those of the answer
     * @param withBody false for an answer to {@code HEAD}, which has only the headers of the body
     */
    Future<Void> write(HttpServerResponse response, Response answer, List<Header> more, boolean withBody) {
        response.setStatusCode(answer.status());
        MultiMap headers = response.headers();
        add(headers, answer.headers());
        add(headers, more);
        noStore(headers);
        headers.set(DATE, date()).set(OPTIONS, NO_SNIFF);
        if (answer.status() != 204 && answer.status() != 304) {
            headers.set(CONTENT_LENGTH, Integer.toString(answer.body().length));
        }
        return withBody && answer.body().length > 0 ? response.end(Buffer.buffer(answer.body())) : response.end();
    }

    /** The headers of a stream of events. */
    void heads(MultiMap headers, List<Header> answered, List<Header> more) {
        headers.set("Content-Type", "text/event-stream").set(DATE, date());
        add(headers, answered);
        add(headers, more);
        unbuffered(headers);
    }

    static void add(MultiMap headers, List<Header> added) {
        for (Header header : added) {
            headers.add(header.name(), header.value());
        }
    }

    /** Adds {@code no-store} to headers without {@code Cache-Control}. */
    static void noStore(MultiMap headers) {
        if (!headers.contains(CACHE_CONTROL)) {
            headers.set(CACHE_CONTROL, NO_STORE);
        }
    }

    /** Asks proxies in front, such as nginx, to pass each part of a stream on at once and unchanged. */
    static void unbuffered(MultiMap headers) {
        headers.set(BUFFERING, "no");
        if (!headers.contains(CACHE_CONTROL)) {
            headers.set(CACHE_CONTROL, NO_TRANSFORM);
        }
    }

    /** The current second in the format of the Date header; formatted once a second. */
    CharSequence date() {
        Instant now = time.now();
        Second known = second.get();
        if (known.epoch() != now.getEpochSecond()) {
            known = new Second(now.getEpochSecond(), HttpHeaders.createOptimized(FIXDATE.format(now)));
            second.set(known);
        }
        return known.text();
    }

    /** The status of an answer that has begun; 0 if none has. */
    static int begun(HttpServerResponse response) {
        return response.headWritten() ? response.getStatusCode() : 0;
    }
}
