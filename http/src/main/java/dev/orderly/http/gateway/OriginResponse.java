package dev.orderly.http.gateway;

import dev.orderly.http.stream.StreamedExchange;
import dev.orderly.web.header.CacheHeaders;
import dev.orderly.web.message.Header;
import dev.orderly.web.message.RequestHead;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An origin's answer on its way to the client. Runs on the client connection's event loop. */
final class OriginResponse {
    private static final Logger LOG = LoggerFactory.getLogger(OriginResponse.class);
    /** The header with a command of an origin for this edge. */
    private static final String COMMAND = "Orderly-Command";
    private static final long UNKNOWN = -1;

    private final StreamedExchange exchange;
    private final HttpClientRequest outbound;
    private final HttpClientResponse from;
    private final HttpServerResponse to;
    private final Forwarder forwarder;
    private long left = UNKNOWN;
    private boolean unfinished;
    private boolean ends;
    private boolean watched;
    private long pausedAt = UNKNOWN;

    OriginResponse(StreamedExchange exchange, HttpClientRequest outbound, HttpClientResponse from,
            Forwarder forwarder) {
        this.exchange = exchange;
        this.outbound = outbound;
        this.from = from;
        this.to = exchange.request().response();
        this.forwarder = forwarder;
    }

    /** @param unfinished whether the request was not sent completely, so that neither connection can be reused */
    void begin(boolean unfinished) {
        this.unfinished = unfinished;
        to.setStatusCode(from.statusCode());
        copyHeaders();
        if (unfinished && !isStream() && RequestHead.announcesBody(exchange.head().headers())) {
            to.putHeader("Connection", "close");
        }
        String length = to.headers().get(HttpHeaders.CONTENT_LENGTH);
        boolean bodiless = exchange.request().method().name().equals("HEAD") || from.statusCode() == 304;
        if (from.statusCode() == 204) {
            to.headers().remove(HttpHeaders.CONTENT_LENGTH);
        } else if (!bodiless && length != null) {
            left = Long.parseLong(length.strip());
        } else if (!bodiless) {
            to.setChunked(true);
        }
        from.handler(this::chunk);
        from.endHandler(_ -> end(Buffer.buffer()));
    }

    /** Whether the exchange is one of many on its connection. */
    private boolean isStream() {
        return exchange.request().version() == HttpVersion.HTTP_2;
    }

    /** Copies the headers of the origin's answer, and adds the headers of other handlers. */
    void copyHeaders() {
        MultiMap headers = to.headers();
        Set<String> named = HeaderRules.named(from.headers().getAll("Connection"));
        boolean forOne = exchange.additions().setsCookie();
        for (Map.Entry<String, String> header : from.headers()) {
            String name = header.getKey();
            if (forOne && CacheHeaders.isOne(name)) {
                continue;
            }
            if (name.equalsIgnoreCase(COMMAND)) {
                exchange.additions().commands().accept(header.getValue().strip());
            } else if (!HeaderRules.endsHereInAnswer(name, named)) {
                headers.add(name, header.getValue());
            }
        }
        for (Header added : exchange.additions().answered()) {
            headers.add(added.name(), added.value());
        }
    }

    /**
     * Whether the transfer coding is other than chunked, so that this hop would have to decode it (RFC 9112, section
     * 6.1).
     */
    static boolean isEncodedOtherwise(MultiMap headers) {
        String coding = headers.get(HttpHeaders.TRANSFER_ENCODING);
        return coding != null && !coding.strip().equalsIgnoreCase("chunked");
    }

    /** A copy without the headers for a single hop. */
    static MultiMap endToEnd(MultiMap from) {
        MultiMap kept = HttpHeaders.headers();
        Set<String> named = HeaderRules.named(from.getAll("Connection"));
        for (Map.Entry<String, String> header : from) {
            if (!HeaderRules.endsHereInAnswer(header.getKey(), named) && !header.getKey().equalsIgnoreCase(COMMAND)) {
                kept.add(header.getKey(), header.getValue());
            }
        }
        return kept;
    }

    private void chunk(Buffer chunk) {
        if (left != UNKNOWN) {
            left -= chunk.length();
            if (left == 0) {
                end(chunk); // together with the last bytes, so that a small answer is one write
                return;
            }
        }
        if (!exchange.isOver()) {
            to.write(chunk);
            if (to.writeQueueFull()) {
                pause();
            }
        }
    }

    /** Pauses until the client has read what was written. A client that reads nothing for long loses the connection. */
    private void pause() {
        from.pause();
        pausedAt = forwarder.clocks().time().nanos();
        to.drainHandler(_ -> {
            pausedAt = UNKNOWN;
            from.resume();
        });
        if (!watched) {
            watched = true;
            watch(forwarder.limits().stall());
        }
    }

    private void watch(Duration wait) {
        forwarder.clocks().vertx().setTimer(Math.max(1, wait.toMillis()), _ -> {
            if (exchange.isOver()) {
                return;
            }
            if (pausedAt == UNKNOWN) {
                watched = false;
                return;
            }
            Duration left = forwarder.limits().stall().minusNanos(forwarder.clocks().time().nanos() - pausedAt);
            if (left.isPositive()) {
                watch(left);
            } else {
                LOG.debug("A download is cut, since its client read nothing for {}", forwarder.limits().stall());
                outbound.reset();
                exchange.cut();
            }
        });
    }

    private void end(Buffer last) {
        if (ends || exchange.isOver()) {
            return;
        }
        ends = true;
        boolean untilClosed = exchange.request().version() == HttpVersion.HTTP_1_0
                && !to.headers().contains(HttpHeaders.CONTENT_LENGTH);
        if (isStream()) { // the client has to open its window, and other streams keep the connection open
            exchange.startTimer(forwarder.limits().stall(), exchange::cut);
        }
        to.end(last).onComplete(_ -> {
            if (untilClosed) {
                exchange.cut();
            } else {
                exchange.finished();
            }
        });
        if (unfinished) {
            outbound.reset();
        }
    }
}
