package dev.orderly.http.listener;

import dev.orderly.time.Time;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.concurrent.ExecutorService;

/** What all exchanges of a listener share. */
final class Exchanges {
    /** IMF-fixdate of RFC 9110, section 5.6.7; the JDK's RFC 1123 format drops the zero of a day below ten. */
    private static final DateTimeFormatter DATE = DateTimeFormatter
            .ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US).withZone(ZoneOffset.UTC);

    final Vertx vertx;
    final Site site;
    final HttpLimits limits;
    final Connections connections;
    final ExecutorService workers;
    final Intake intake;

    Exchanges(Vertx vertx, Site site, HttpLimits limits, Connections connections, ExecutorService workers) {
        this.vertx = vertx;
        this.site = site;
        this.limits = limits;
        this.connections = connections;
        this.workers = workers;
        this.intake = new Intake(limits.capacity());
    }

    /** On the event loop of the connection, once a head is complete. */
    void begin(HttpServerRequest request) {
        connections.requested(request.connection());
        new Exchange(this, request).begin();
    }

    /** @param withBody false in answer to {@code HEAD}, which gets the headers of the body only */
    static Future<Void> write(HttpServerResponse response, Answer answer, boolean withBody) {
        response.setStatusCode(answer.status());
        answer.headers().forEach(response::putHeader);
        response.putHeader("Date", DATE.format(Time.system().now()));
        response.putHeader("Cache-Control", "no-store").putHeader("X-Content-Type-Options", "nosniff");
        if (answer.status() != 204) {
            response.putHeader("Content-Length", Integer.toString(answer.body().length));
        }
        return withBody && answer.body().length > 0 ? response.end(Buffer.buffer(answer.body())) : response.end();
    }
}
