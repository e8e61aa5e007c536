package dev.orderly.http.webhook;

import dev.orderly.ProgramVersion;
import dev.orderly.flow.LogLimit;
import dev.orderly.http.intake.DelayText;
import dev.orderly.job.Job;
import dev.orderly.job.Payload;
import dev.orderly.job.ReportedFailureException;
import dev.orderly.job.RetryLater;
import dev.orderly.job.Throttled;
import dev.orderly.job.Unprocessable;
import dev.orderly.job.present.Redaction;
import dev.orderly.job.store.AttemptId;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.text.VisibleText;
import dev.orderly.time.Time;
import dev.orderly.web.webhook.WebhookSignature;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Signed POSTs to a webhook, and what their answers mean. Thread-safe. */
final class WebhookExchange {
    private static final Logger LOG = LoggerFactory.getLogger(WebhookExchange.class);
    /** The header of a 202 that lets the job run on: the longest time until the worker's report. */
    private static final String LATER = "Orderly-Later";

    /** The header of a 202 that lets the job wait for events: names with the longest waits. */
    private static final String AWAIT = "Orderly-Await";

    private static final Duration CONNECT = Duration.ofSeconds(10);
    private static final String AGENT = "Orderly/" + ProgramVersion.current();
    private static final Pattern EVENT = Pattern.compile("([^;]+?)\\s*;\\s*timeout=([^;\\s]+)");
    private static final int TOO_MANY = 429;
    private static final List<Integer> RETRIED = List.of(408, 409, TOO_MANY);

    private final Webhook webhook;
    private final AttemptTokens tokens;
    private final Redaction redaction;
    private final Supplier<HttpClient> client;
    private final Time time;
    private final LogLimit oversized;

    WebhookExchange(Webhook webhook, AttemptTokens tokens, Redaction redaction, Supplier<HttpClient> client,
            Time time) {
        this.webhook = webhook;
        this.tokens = tokens;
        this.redaction = redaction;
        this.client = client;
        this.time = time;
        this.oversized = new LogLimit(LOG, time);
    }

    /** A client for webhooks: HTTP/1.1, no redirects, connects within 10 s. The caller closes it. */
    static HttpClient newClient() {
        return HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER).connectTimeout(CONNECT)
                .executor(Executors.newThreadPerTaskExecutor(
                        Thread.ofVirtual().name("orderly-webhook-", 0).factory()))
                .build();
    }

    /**
     * An answer, for a request or for one job of it.
     *
     * @param later the longest time until a worker's report; null if the worker has ended
     * @param await the events that the job waits for, as a header has them; null for none
     * @param retryAfter as a header has it; null for none
     * @param body at most one byte more than was asked for
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Answer(int status, @Nullable String later, @Nullable String await, @Nullable String retryAfter,
            @Nullable String contentType, byte[] body) {
        boolean isSuccess() {
            return status >= 200 && status < 300;
        }

        /** Whether the job runs on without a connection. */
        boolean isLater() {
            return status == 202 && later != null;
        }

        /** Whether the job waits for events. */
        boolean isAwaiting() {
            return status == 202 && await != null;
        }
    }

    /**
     * Posts a body and waits for the answer.
     *
     * @param id of the message
     * @param headers beside those of every webhook
     * @param most bytes of the answer that are read
     * @throws ReportedFailureException without an answer
     * @throws IllegalArgumentException if a header is not valid
     */
    Answer post(String id, byte[] body, HttpRequest.Builder headers, int most)
            throws ReportedFailureException, InterruptedException {
        HttpRequest.Builder request = headers.uri(webhook.target()).POST(BodyPublishers.ofByteArray(body))
                .header("User-Agent", AGENT);
        webhook.authorization().ifPresent(value -> request.header("Authorization", value));
        WebhookSignature signature = WebhookSignature.sign(id, time.now(), body, webhook.secrets());
        request.header(WebhookSignature.ID, signature.id()).header(WebhookSignature.TIMESTAMP, signature.timestamp());
        if (!webhook.secrets().isEmpty()) {
            request.header(WebhookSignature.SIGNATURE, signature.signature());
        }
        try {
            HttpResponse<InputStream> response = client.get().send(request.build(), BodyHandlers.ofInputStream());
            try (InputStream stream = response.body()) {
                return new Answer(response.statusCode(), header(response, LATER),
                        header(response, AWAIT), header(response, "Retry-After"),
                        header(response, "Content-Type"), stream.readNBytes(most + 1));
            }
        } catch (IOException e) {
            if (Thread.interrupted() || e.getCause() instanceof InterruptedException) {
                throw new InterruptedException("Interrupted while " + webhook.shown() + " was answering");
            }
            throw new ReportedFailureException("POST " + webhook.shown() + " got no answer: " + reasonOf(e), "");
        }
    }

    private static @Nullable String header(HttpResponse<?> response, String name) {
        return response.headers().firstValue(name).orElse(null);
    }

    /** The token of the attempt, for reports of its worker. */
    String token(Job<?> job) {
        return tokens.sign(new AttemptId(job.id(), job.queueName(), job.attempt()));
    }

    /**
     * Keeps the result of a job, or lets it run on.
     *
     * @throws Exception the failure that the answer means, in the receiver's words
     */
    void apply(Answer answer, Job<?> job, Payload payload) throws Exception {
        if (answer.isLater()) {
            job.detach(later(Objects.requireNonNull(answer.later)));
        } else if (answer.isAwaiting()) {
            await(Objects.requireNonNull(answer.await), job);
        } else if (answer.isSuccess()) {
            keepResult(answer, job);
        } else {
            throw failure(answer, WorkerError.of(answer.contentType, answer.body,
                    redaction.maskedIn(job.params(), payload)));
        }
    }

    /**
     * Lets a job wait for events. If one has come already, the next request follows at once and brings it.
     *
     * @throws ReportedFailureException if the value is malformed: the worker would wait for nothing
     */
    private void await(String text, Job<?> job) throws ReportedFailureException {
        String answered = "POST " + webhook.shown() + " was answered 202 with " + AWAIT + ": ";
        boolean came = false;
        for (String each : text.split(",", -1)) {
            Matcher event = EVENT.matcher(each.strip());
            if (!event.matches()) {
                throw new ReportedFailureException(answered + VisibleText.of(each.strip())
                        + "; write a name and the longest wait, such as approval; timeout=7d", "");
            }
            try {
                came |= job.await(event.group(1), Payload.class, DelayText.parse(event.group(2))).isPresent();
            } catch (IllegalArgumentException | IllegalStateException e) {
                throw new ReportedFailureException(answered + e.getMessage(), "");
            }
        }
        if (came) {
            job.snooze(Duration.ZERO);
        }
    }

    private void keepResult(Answer answer, Job<?> job) {
        if (answer.body.length > Job.RESULT_MAX) {
            oversized
                    .warn("The result of job {} of {} is not kept: the answer has more than {} bytes; store the content"
                            + " elsewhere and answer a reference", job.id(), job.queueName(), Job.RESULT_MAX);
            return;
        }
        Payload result = WorkerResult.of(answer.contentType, answer.body);
        if (result != null) {
            job.result(result);
        }
    }

    /**
     * The time that a job runs on.
     *
     * @throws ReportedFailureException if the value is not a valid time: the worker would believe that it has longer
     */
    private Duration later(String text) throws ReportedFailureException {
        String answered = "POST " + webhook.shown() + " was answered 202 with " + LATER + ": ";
        Duration atMost;
        try {
            atMost = DelayText.parse(text.strip());
        } catch (IllegalArgumentException e) {
            throw new ReportedFailureException(answered + e.getMessage(), "");
        }
        if (!atMost.isPositive() || atMost.compareTo(AttemptOutcome.LEASE_MAX) > 0) {
            throw new ReportedFailureException(
                    answered + atMost + "; use 1 ms to " + AttemptOutcome.LEASE_MAX.toDays() + " days",
                    "");
        }
        return atMost;
    }

    /** The failure that an answer outside 2xx means, with the receiver's words. */
    private Exception failure(Answer answer, WorkerError error) {
        int status = answer.status;
        String answered = "POST " + webhook.shown() + " was answered " + status;
        boolean isFinal = status < 500 && !RETRIED.contains(status);
        String message = error.message().isEmpty() ? answered : error.message() + " (" + answered + ")";
        String detail = error.text().isEmpty() ? answered : answered + "\n\n" + error.text();
        ReportedFailureException reported = new ReportedFailureException(message, detail);
        if (isFinal) {
            return new Unprocessable(error.message().isEmpty()
                    ? answered + ", which is final: redrive it once the receiver accepts it"
                    : message, reported);
        }
        return Optional.ofNullable(answer.retryAfter).flatMap(value -> RetryAfter.parse(value, time.now()))
                .<Exception>map(wait -> status == TOO_MANY
                        ? new Throttled(wait, message, reported)
                        : new RetryLater(wait, message, reported))
                .orElse(reported);
    }

    private static String reasonOf(IOException e) {
        String message = e.getMessage();
        return switch (e) {
            case HttpConnectTimeoutException _ -> "no connection within " + CONNECT.toSeconds() + " s";
            case ConnectException _ -> "no connection (" + (message == null ? "refused or unreachable" : message) + ")";
            default -> e.getClass().getSimpleName() + (message == null ? "" : ": " + message);
        };
    }
}
