package dev.orderly.web.room.check;

import dev.orderly.room.RoomName;
import dev.orderly.room.crowd.Verdict;
import dev.orderly.time.Time;
import dev.orderly.trace.LogContext;
import dev.orderly.web.webhook.WebhookSecret;
import dev.orderly.web.webhook.WebhookSignature;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks a program of the operator's about visitors who want a place in a room, by one POST for each, signed as Standard
 * Webhooks defines. Never blocks. Questions are bounded in number at once; after five questions in a row without an
 * answer none is asked for ten seconds, so that a program that is down delays few visitors by its timeout. Thread-safe.
 */
public final class JoinCheck {
    private static final Logger LOG = LoggerFactory.getLogger(JoinCheck.class);
    private static final int ANSWER_MAX = 4_096;

    private final CheckPolicy policy;
    private final List<WebhookSecret> secrets;
    private final HttpClient client;
    private final Time time;
    private final CheckBreaker breaker;
    private final Semaphore free;

    /**
     * @param secrets each signs every question; none to leave questions unsigned
     * @param client from {@link #newClient}; the caller closes it
     */
    public JoinCheck(CheckPolicy policy, List<WebhookSecret> secrets, HttpClient client, Time time) {
        this.policy = Objects.requireNonNull(policy, "policy");
        Objects.requireNonNull(secrets, "secrets");
        this.secrets = List.copyOf(secrets);
        this.client = Objects.requireNonNull(client, "client");
        this.time = Objects.requireNonNull(time, "time");
        this.breaker = new CheckBreaker(time);
        this.free = new Semaphore(policy.atOnce());
    }

    /** A client for checks: HTTP/1.1, no redirects. */
    public static HttpClient newClient() {
        return HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(Duration.ofSeconds(5)).executor(Executors.newVirtualThreadPerTaskExecutor()).build();
    }

    public CheckPolicy policy() {
        return policy;
    }

    /**
     * Asks about a visitor. Null if the policy asks about none like this.
     *
     * @param visitor called if the policy asks about it
     * @param ofNetwork places that the network of the visitor took lately
     * @return completes within about the timeout, and never exceptionally
     */
    public @Nullable CompletionStage<Verdict> ask(RoomName room, Supplier<CheckedVisitor> visitor, long ofNetwork) {
        Objects.requireNonNull(room, "room");
        Objects.requireNonNull(visitor, "visitor");
        if (policy.when() == CheckPolicy.When.CROWDED && ofNetwork < policy.crowdedFrom()) {
            return null;
        }
        byte[] question = visitor.get().json(room, ofNetwork);
        if (!free.tryAcquire()) {
            return CompletableFuture.completedStage(failed());
        }
        if (!breaker.lets()) {
            free.release();
            return CompletableFuture.completedStage(failed());
        }
        CompletableFuture<HttpResponse<byte[]>> sent = sent(question);
        return sent.copy().orTimeout(policy.timeout().toNanos(), TimeUnit.NANOSECONDS)
                .thenApply(CheckAnswer::read).handle((verdict, failure) -> {
                    free.release();
                    sent.cancel(true); // an answer that trickles in keeps no connection
                    return failure == null ? answered(room, verdict) : unanswered(room, failure);
                });
    }

    private CompletableFuture<HttpResponse<byte[]>> sent(byte[] body) {
        WebhookSignature signature = WebhookSignature.sign(UUID.randomUUID().toString(), time.now(), body, secrets);
        HttpRequest.Builder request = HttpRequest.newBuilder(policy.url()).timeout(policy.timeout())
                .header("Content-Type", "application/json").header("User-Agent", "Orderly")
                .header(WebhookSignature.ID, signature.id()).header(WebhookSignature.TIMESTAMP, signature.timestamp())
                .POST(BodyPublishers.ofByteArray(body));
        if (!secrets.isEmpty()) {
            request.header(WebhookSignature.SIGNATURE, signature.signature());
        }
        try {
            return client.sendAsync(request.build(), BodyHandlers.limiting(BodyHandlers.ofByteArray(), ANSWER_MAX));
        } catch (RuntimeException e) { // a client that was closed
            return CompletableFuture.failedFuture(e);
        }
    }

    private Verdict answered(RoomName room, Verdict verdict) {
        if (breaker.succeeded()) {
            try (LogContext _ = LogContext.ofRoom(room.value())) {
                LOG.info("The check of room {} at {} answers again", room, policy.shown());
            }
        }
        return verdict;
    }

    private Verdict unanswered(RoomName room, Throwable failure) {
        if (breaker.failed()) {
            Throwable cause = failure instanceof CompletionException && failure.getCause() != null
                    ? failure.getCause()
                    : failure;
            try (LogContext _ = LogContext.ofRoom(room.value())) {
                LOG.warn("The check of room {} at {} gave no verdict {} times in a row ({}). It is asked again every"
                        + " ten seconds; meanwhile on-failure decides: {}", room, policy.shown(),
                        CheckBreaker.FAILURES, cause instanceof IOException || cause.getMessage() == null
                                ? cause.getClass().getSimpleName()
                                : cause.getMessage(),
                        policy.onFailure());
            }
        }
        return failed();
    }

    private Verdict failed() {
        return new Verdict.Failed(policy.onFailure() == CheckPolicy.OnFailure.ALLOW);
    }
}
