package dev.orderly.bench.crowd;

import dev.orderly.time.Time;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A visitor with a cookie jar: takes a place, waits as told, enters, stays, leaves. */
final class CrowdVisitor {
    private static final String PATH = "/tickets/";
    private static final String ROOM = "/.orderly/rooms/sale/";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final CrowdGates gates;
    private final CrowdBook book;
    private final HttpClient client;
    private final Time time;
    private final Manner manner;
    private final Map<String, String> cookies = new LinkedHashMap<>();
    private @Nullable Told first;
    private long place;
    private long asked;

    /**
     * The behaviour of a visitor.
     *
     * @param absent never asks again once told to wait
     * @param connected waits connected by events, and does not poll
     * @param late share of a second by which polls come later than told
     */
    record Manner(boolean absent, boolean connected, Duration stay, double late) {}

    private record Told(long at, long low, long high) {}

    CrowdVisitor(CrowdGates gates, CrowdBook book, HttpClient client, Time time, Manner manner) {
        this.gates = gates;
        this.book = book;
        this.client = client;
        this.time = time;
        this.manner = manner;
    }

    void visit() throws IOException, InterruptedException {
        asked = time.nanos();
        HttpResponse<String> answer = send("GET", PATH);
        boolean waits = answer.statusCode() != 200;
        if (manner.absent && waits) {
            return;
        }
        if (waits) {
            book.waits();
            answer = untilAdmitted(answer);
            Told told = first;
            book.enters(place, manner.connected ? 0 : asked, told == null
                    ? new CrowdBook.Told(-1, -1, 0)
                    : new CrowdBook.Told(told.low, told.high, time.nanos() - told.at));
        } else {
            book.entersAtOnce();
        }
        pause(manner.stay);
        book.leaves();
        send("DELETE", ROOM + "ticket");
    }

    private HttpResponse<String> untilAdmitted(HttpResponse<String> told) throws IOException, InterruptedException {
        HttpResponse<String> last = told;
        while (last.statusCode() != 200) {
            Duration poll = heard(last);
            CrowdBook.Asked before = new CrowdBook.Asked(asked, time.nanos());
            boolean polls = !manner.connected;
            if (polls) {
                pause(poll.plusMillis((long) (manner.late * 1_000)));
            } else {
                untilCalled();
            }
            asked = time.nanos();
            last = send("GET", PATH);
            if (polls && last.statusCode() != 200) {
                book.refused(place, before, poll, asked);
            }
        }
        return last;
    }

    /** Takes over what an answer tells; returns the interval until the next request. */
    private Duration heard(HttpResponse<String> answer) throws IOException {
        if (answer.statusCode() != 503) {
            throw new IOException("Answered " + answer.statusCode() + ": " + answer.body());
        }
        return heard(JsonMapper.shared().readTree(answer.body()));
    }

    private Duration heard(JsonNode told) {
        place = told.path("place").asLong(place);
        if (first == null && told.path("low").isNumber()) {
            first = new Told(time.nanos(), Duration.ofSeconds(told.path("low").asLong()).toNanos(),
                    Duration.ofSeconds(told.path("high").asLong()).toNanos());
        }
        return Duration.ofSeconds(Math.max(1, told.path("poll").asLong(1)));
    }

    /** Follows the events until the turn, or until the stream ends. */
    private void untilCalled() throws IOException, InterruptedException {
        HttpResponse<Stream<String>> stream = client.send(request("GET", ROOM + "events")
                .header("Accept", "text/event-stream").build(), BodyHandlers.ofLines());
        try (Stream<String> lines = stream.body()) {
            if (stream.statusCode() != 200) {
                pause(Duration.ofSeconds(1));
                return;
            }
            lines.takeWhile(line -> !line.equals("event: turn") && !line.equals("event: void"))
                    .filter(line -> line.startsWith("data: {\"")).map(line -> line.substring("data: ".length()))
                    .forEach(data -> heard(JsonMapper.shared().readTree(data)));
        }
    }

    private HttpResponse<String> send(String method, String path) throws IOException, InterruptedException {
        HttpResponse<String> answer = client.send(request(method, path).header("Accept", "application/json").build(),
                BodyHandlers.ofString());
        answer.headers().allValues("Set-Cookie").forEach(this::take);
        return answer;
    }

    private HttpRequest.Builder request(String method, String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(gates.next(path)).timeout(PATIENCE).method(method,
                HttpRequest.BodyPublishers.noBody());
        if (!cookies.isEmpty()) {
            request.header("Cookie", cookies.entrySet().stream().map(each -> each.getKey() + "=" + each.getValue())
                    .collect(Collectors.joining("; ")));
        }
        return request;
    }

    private void take(String cookie) {
        String name = cookie.substring(0, cookie.indexOf('='));
        if (cookie.contains("Max-Age=0;")) {
            cookies.remove(name);
        } else {
            cookies.put(name, cookie.substring(cookie.indexOf('=') + 1, cookie.indexOf(';')));
        }
    }

    private void pause(Duration wait) throws InterruptedException {
        until(time, time.deadline(wait));
    }

    /** Waits for a moment of the clock. */
    static void until(Time time, long deadline) throws InterruptedException {
        while (!time.reached(deadline)) {
            if (Thread.interrupted()) {
                throw new InterruptedException("The crowd ends early");
            }
            time.park(deadline);
        }
    }
}
