package dev.orderly.http.gateway;

import dev.orderly.flow.Quota;
import dev.orderly.http.problem.LimitProblems;
import dev.orderly.http.problem.Problem;
import dev.orderly.http.route.StreamedExchange;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.PoolOptions;
import java.util.Optional;

/** The connections to one origin for one kind of request, and a quota of requests that have or await a connection. */
final class OriginPool {
    private final ForwardKind kind;
    private final Quota<String> quota;
    private final HttpClient client;

    OriginPool(ForwardKind kind, ForwardLimits.Share share, Vertx vertx, HttpClientOptions options) {
        this.kind = kind;
        this.quota = new Quota<>(share.limit());
        this.client = vertx.httpClientBuilder().with(options).with(new PoolOptions()
                .setHttp1MaxSize(share.connections()).setMaxWaitQueueSize(share.limit().total()))
                .withConnectHandler(AnswerRules::keep).build();
    }

    ForwardKind kind() {
        return kind;
    }

    HttpClient client() {
        return client;
    }

    /**
     * Takes a slot for an exchange, which {@link #give} gives back. Returns the problem if there is none for its
     * client.
     */
    Optional<Problem> take(StreamedExchange exchange) {
        Quota.Taken taken = quota.take(exchange.client());
        return taken == Quota.Taken.TAKEN
                ? Optional.empty()
                : Optional.of(LimitProblems.of(taken, quota.limit(), kind.plural()));
    }

    void give(StreamedExchange exchange) {
        quota.give(exchange.client());
    }
}
