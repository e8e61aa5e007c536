package dev.orderly.server;

import dev.orderly.time.Time;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Simulated visitors of the demo, over real HTTP. Each visitor of the crowd arrives, waits in line, looks around
 * inside, perhaps buys, leaves, and returns later as a new visitor. Some are absent when called. A few regular
 * customers are online all the time and buy now and then. Each runs on a virtual thread.
 */
final class DemoVisitors implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DemoVisitors.class);
    private static final Duration ANSWER = Duration.ofSeconds(20);
    private static final String TICKET = "/.orderly/rooms/" + DemoServer.ROOM + "/ticket";
    private static final String LIVE = "/.orderly/live";
    private static final String SHOW = "/tickets/harbour";
    private static final double BUYS = 0.3;
    private static final double LOSES_PATIENCE = 0.1;
    private static final double MISTYPES = 0.04;
    private static final int REGULARS = 3;
    /** Requests at once: the crowd shares one machine with the server. */
    private static final int AT_ONCE = 64;

    private final Time time;
    private final RandomGenerator random;
    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5)).build();
    private final Semaphore places = new Semaphore(AT_ONCE);
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    /** @param random thread-safe */
    DemoVisitors(Time time, RandomGenerator random) {
        this.time = time;
        this.random = random;
    }

    /** Starts the regular customers, and the crowd within the next few seconds. Returns at once. */
    void come(int visitors, URI shop) {
        for (int i = 1; i <= REGULARS; i++) {
            int number = i;
            threads.execute(() -> stay(number, shop));
        }
        for (int i = 0; i < visitors; i++) {
            int number = i;
            threads.execute(() -> live(number, shop));
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
        client.shutdownNow();
    }

    private void live(int number, URI shop) {
        try {
            rest(between(0, 5_000));
            for (int visit = 1;; visit++) {
                try {
                    new Visitor("crowd-" + number + "-" + visit, shop).visit();
                } catch (IOException e) {
                    LOG.debug("Visitor {} got no answer: {}", number, e.toString());
                }
                rest(between(2_000, 20_000));
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // the demo closes
        }
    }

    private void stay(int number, URI shop) {
        Visitor regular = new Visitor("regular-" + number, shop);
        try {
            for (int visit = 1;; visit++) {
                try {
                    regular.goOnline();
                    regular.visitAgain(visit);
                } catch (IOException e) {
                    LOG.debug("Regular customer {} got no answer: {}", number, e.toString());
                }
                rest(between(20_000, 60_000));
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // the demo closes
        }
    }

    private Duration between(int least, int most) {
        return Duration.ofMillis(random.nextInt(least, most));
    }

    private void rest(Duration length) throws InterruptedException {
        long deadline = time.deadline(length);
        while (!time.reached(deadline)) {
            time.park(deadline);
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }
    }

    /** One visitor, with a cookie jar. */
    private final class Visitor {
        private final String name;
        private final URI shop;
        private final Map<String, String> cookies = new TreeMap<>();
        private @Nullable CompletableFuture<HttpResponse<Void>> online;

        Visitor(String name, URI shop) {
            this.name = name;
            this.shop = shop;
        }

        void visit() throws IOException, InterruptedException {
            boolean patient = random.nextDouble() >= LOSES_PATIENCE;
            HttpResponse<String> answer = send(request(SHOW).GET());
            for (int asked = 0; answer.statusCode() == 503; asked++) {
                if (!patient && asked > 3) {
                    return; // leaves without giving the place back
                }
                long seconds = answer.headers().firstValueAsLong("Retry-After").orElse(5);
                rest(Duration.ofSeconds(seconds));
                answer = send(request(SHOW).GET());
            }
            rest(between(3_000, 12_000));
            if (answer.statusCode() == 200 && random.nextDouble() < BUYS) {
                buy(name);
                rest(between(1_000, 5_000));
            }
            send(request(TICKET).DELETE());
        }

        /** Keeps an event stream of live messages open. */
        void goOnline() throws IOException, InterruptedException {
            if (online == null || online.isDone()) {
                send(request("/").GET());
                online = client.sendAsync(request(LIVE).setHeader("Accept", "text/event-stream").GET().build(),
                        BodyHandlers.discarding());
            }
        }

        /** Buys a ticket if the room lets the customer in at once; comes back later otherwise. */
        void visitAgain(int visit) throws IOException, InterruptedException {
            if (send(request(SHOW).GET()).statusCode() == 200) {
                buy(name + "-" + visit);
            }
        }

        private void buy(String order) throws IOException, InterruptedException {
            String host = random.nextDouble() < MISTYPES ? "nowhere.invalid" : "example.com";
            String form = "order=" + order + "&tickets=1&name=Visitor&mail=" + name + "%40" + host + "&card=ANY";
            send(request(SHOW).header("Content-Type", "application/x-www-form-urlencoded")
                    .POST(BodyPublishers.ofString(form)));
        }

        private HttpRequest.Builder request(String path) {
            HttpRequest.Builder request = HttpRequest.newBuilder(shop.resolve(path)).timeout(ANSWER)
                    .header("Accept", "text/html").header("User-Agent", "orderly-demo-crowd");
            if (!cookies.isEmpty()) {
                StringBuilder text = new StringBuilder();
                cookies.forEach((key, value) -> text.append(text.isEmpty() ? "" : "; ").append(key).append('=')
                        .append(value));
                request.header("Cookie", text.toString());
            }
            return request;
        }

        private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
            places.acquire();
            try {
                HttpResponse<String> answer = client.send(request.build(), BodyHandlers.ofString());
                answer.headers().allValues("Set-Cookie").forEach(this::keep);
                return answer;
            } finally {
                places.release();
            }
        }

        private void keep(String cookie) {
            String pair = cookie.split(";", 2)[0];
            int equals = pair.indexOf('=');
            if (cookie.contains("Max-Age=0")) {
                cookies.remove(pair.substring(0, equals));
            } else {
                cookies.put(pair.substring(0, equals), pair.substring(equals + 1));
            }
        }
    }
}
