package dev.orderly.http.gateway;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.PoolOptions;
import java.util.concurrent.atomic.AtomicInteger;

/** An event loop's part of the connections of an {@link OriginPool}, and the number of requests that use it. */
final class LoopConnections {
    private final HttpClient client;
    private final int size;
    private final AtomicInteger requests = new AtomicInteger();

    /** @param waiting the maximum number of requests that wait for a connection */
    LoopConnections(Vertx vertx, HttpClientOptions options, int size, int waiting) {
        this.size = size;
        this.client = vertx.httpClientBuilder().with(options)
                .with(new PoolOptions().setHttp1MaxSize(size).setMaxWaitQueueSize(waiting))
                .withConnectHandler(AnswerRules::keep).build();
    }

    HttpClient client() {
        return client;
    }

    /** Counts a request if a connection is free for it. */
    boolean reserve() {
        int before = requests.get();
        while (before < size) {
            int found = requests.compareAndExchange(before, before + 1);
            if (found == before) {
                return true;
            }
            before = found;
        }
        return false;
    }

    /** Counts a request that may have to wait. */
    void await() {
        requests.incrementAndGet();
    }

    /** Ends the use by one request. */
    void give() {
        requests.decrementAndGet();
    }

    /** Requests beyond the number of connections; negative if connections are free. */
    int waiting() {
        return requests.get() - size;
    }
}
