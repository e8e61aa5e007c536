package dev.orderly.http.webhook;

import dev.orderly.ProgramVersion;
import dev.orderly.flow.LogLimit;
import dev.orderly.http.intake.DelayText;
import dev.orderly.job.Handler;
import dev.orderly.job.Job;
import dev.orderly.job.Payload;
import dev.orderly.job.ReportedFailureException;
import dev.orderly.job.RetryLater;
import dev.orderly.job.Throttled;
import dev.orderly.job.Unprocessable;
import dev.orderly.job.present.Redaction;
import dev.orderly.job.store.AttemptId;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.time.Time;
import dev.orderly.trace.TraceContext;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A handler that POSTs each job to a URL: payload and content type as pushed, the job's metadata in headers, signed as
 * Standard Webhooks defines. Any program that answers HTTP can be a worker.
 *
 * <table>
 * <caption>Effect of the answer</caption>
 * <tr><td>2xx</td><td>the job is done; a body of at most 64 KiB is its result, whatever its content type</td></tr>
 * <tr><td>202 with {@code Orderly-Later: 2h}</td><td>the job runs on without a connection until the worker reports its
 * end by the attempt's token, at most for this time; see {@link Job#detach}</td></tr>
 * <tr><td>429 with {@code Retry-After}</td><td>{@link Throttled}: no failure, the key of the job rests</td></tr>
 * <tr><td>408, 409, 429, 5xx, no answer</td><td>failed, retried: after {@code Retry-After}, else with the queue's
 * backoff</td></tr>
 * <tr><td>any other, redirects too</td><td>dead letter</td></tr>
 * </table>
 *
 * <p>The failure that is kept begins with the receiver's own words, see {@link WorkerError}.
 *
 * <p>Headers: {@code webhook-id} (the job's id), {@code webhook-timestamp}, {@code webhook-signature};
 * {@code Orderly-Queue}, {@code Orderly-Attempt}, {@code Orderly-Sequence}, {@code Orderly-Pushed-At} (ISO-8601),
 * {@code Orderly-Attempt-Token} (for reports about this attempt); and,
 * if the job has them, {@code Orderly-Group}, {@code Orderly-User} (both percent-encoded UTF-8), {@code Orderly-Params}
 * (as a query string, which may exceed a receiver's limit on headers), {@code traceparent} and {@code tracestate}.
 *
 * <p>The exchange ends when the job's {@linkplain Job#signal() signal} interrupts it: at the queue's timeout, on
 * cancellation and at a stop. Not guaranteed: that a receiver gets a job only once; {@code webhook-id} identifies
 * repetitions. Thread-safe.
 */
public final class WebhookHandler implements Handler<Payload> {
    private static final Logger LOG = LoggerFactory.getLogger(WebhookHandler.class);
    private static final Duration CONNECT = Duration.ofSeconds(10);
    /** The header of a 202 that lets the job run on: the longest time until the worker's report. */
    private static final String LATER = "Orderly-Later";
    private static final String AGENT = "Orderly/" + ProgramVersion.current();
    private static final int ANSWER_MAX = Job.RESULT_MAX;
    private static final int TOO_MANY = 429;
    private static final List<Integer> RETRIED = List.of(408, 409, TOO_MANY);

    private final Webhook webhook;
    private final AttemptTokens tokens;
    private final Redaction redaction;
    private final Supplier<HttpClient> client;
    private final Time time;
    private final LogLimit oversized;

    /**
     * A handler for one queue.
     *
     * @param redaction masks values of a job in the receiver's words about its failure
     * @param client from {@link #newClient}, shared by all webhooks of a process; asked at each call
     */
    public WebhookHandler(Webhook webhook, AttemptTokens tokens, Redaction redaction, Supplier<HttpClient> client,
            Time time) {
        this.redaction = redaction;
        this.webhook = webhook;
        this.tokens = tokens;
        this.client = client;
        this.time = time;
        this.oversized = new LogLimit(LOG, time);
    }

    /** A client for webhooks: HTTP/1.1, no redirects, connects within 10 s. The caller closes it. */
    public static HttpClient newClient() {
        return HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER).connectTimeout(CONNECT)
                .executor(Executors.newThreadPerTaskExecutor(
                        Thread.ofVirtual().name("orderly-webhook-", 0).factory()))
                .build();
    }

    /**
     * Posts one job and waits for the answer.
     *
     * @throws Throttled if the receiver takes no more for a time that it has named
     * @throws RetryLater if the attempt failed and the receiver named a time for the retry
     * @throws Unprocessable if the receiver refuses the job for good
     * @throws ReportedFailureException if the attempt failed otherwise
     */
    @Override
    public void handle(Payload payload, Job<Payload> job) throws ReportedFailureException, InterruptedException {
        HttpRequest request = request(payload, job);
        HttpResponse<InputStream> response;
        byte[] body;
        try {
            response = client.get().send(request, BodyHandlers.ofInputStream());
            try (InputStream stream = response.body()) {
                body = stream.readNBytes(ANSWER_MAX + 1);
            }
        } catch (IOException e) {
            if (Thread.interrupted() || e.getCause() instanceof InterruptedException) {
                throw new InterruptedException("Interrupted while " + webhook.shown() + " was answering");
            }
            throw new ReportedFailureException("POST " + webhook.shown() + " got no answer: " + reasonOf(e), "");
        }
        Optional<String> later = response.headers().firstValue(LATER);
        if (response.statusCode() == 202 && later.isPresent()) {
            job.detach(later(later.get()));
        } else if (response.statusCode() >= 200 && response.statusCode() < 300) {
            keepResult(response, body, job);
        } else {
            fail(response, body, redaction.maskedIn(job.params(), payload));
        }
    }

    private HttpRequest request(Payload payload, Job<?> job) {
        Instant now = time.now();
        try {
            HttpRequest.Builder request = HttpRequest.newBuilder(webhook.target())
                    .POST(BodyPublishers.ofByteArray(payload.bytes())).header("Content-Type", payload.contentType())
                    .header("User-Agent", AGENT).header("Orderly-Queue", job.queueName().value())
                    .header("Orderly-Attempt", Integer.toString(job.attempt()))
                    .header("Orderly-Sequence", Long.toString(job.sequenceNumber()))
                    .header("Orderly-Pushed-At", job.pushedAt().toString()).header(AttemptTokens.HEADER,
                            tokens.sign(new AttemptId(job.id(), job.queueName(), job.attempt())));
            webhook.authorization().ifPresent(value -> request.header("Authorization", value));
            job.groupId().ifPresent(group -> request.header("Orderly-Group", encoded(group)));
            job.userId().ifPresent(user -> request.header("Orderly-User", encoded(user.value())));
            job.trace().ifPresent(trace -> {
                request.header(TraceContext.PARENT, trace.parent());
                Optional.ofNullable(trace.state()).ifPresent(state -> request.header(TraceContext.STATE, state));
            });
            if (!job.params().isEmpty()) {
                request.header("Orderly-Params", query(job.params()));
            }
            sign(request, job.id().toString(), now, payload.bytes());
            return request.build();
        } catch (IllegalArgumentException e) {
            throw new Unprocessable("The job cannot be posted to " + webhook.shown()
                    + ": its content type is not valid in a header", e);
        }
    }

    private void sign(HttpRequest.Builder request, String id, Instant now, byte[] body) {
        WebhookSignature signature = WebhookSignature.sign(id, now, body, webhook.secrets());
        request.header(WebhookSignature.ID, signature.id());
        request.header(WebhookSignature.TIMESTAMP, signature.timestamp());
        if (!webhook.secrets().isEmpty()) {
            request.header(WebhookSignature.SIGNATURE, signature.signature());
        }
    }

    /**
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

    private void keepResult(HttpResponse<?> response, byte[] body, Job<?> job) {
        if (body.length > ANSWER_MAX) {
            oversized
                    .warn("The result of job {} of {} is not kept: the answer has more than {} bytes; store the content"
                            + " elsewhere and answer a reference", job.id(), job.queueName(), ANSWER_MAX);
            return;
        }
        Payload result = WorkerResult.of(contentType(response), body);
        if (result != null) {
            job.result(result);
        }
    }

    private void fail(HttpResponse<?> response, byte[] body, UnaryOperator<String> masked)
            throws ReportedFailureException {
        int status = response.statusCode();
        String answered = "POST " + webhook.shown() + " was answered " + status;
        WorkerError error = WorkerError.of(contentType(response), body, masked);
        boolean isFinal = status < 500 && !RETRIED.contains(status);
        String message = error.message().isEmpty() ? answered : error.message() + " (" + answered + ")";
        String detail = error.text().isEmpty() ? answered : answered + "\n\n" + error.text();
        ReportedFailureException reported = new ReportedFailureException(message, detail);
        if (isFinal) {
            throw new Unprocessable(error.message().isEmpty()
                    ? answered + ", which is final: redrive it once the receiver accepts it"
                    : message, reported);
        }
        Duration wait = response.headers().firstValue("Retry-After")
                .flatMap(value -> RetryAfter.parse(value, time.now())).orElse(null);
        if (wait != null && status == TOO_MANY) {
            throw new Throttled(wait, message, reported);
        }
        if (wait != null) {
            throw new RetryLater(wait, message, reported);
        }
        throw reported;
    }

    private static @Nullable String contentType(HttpResponse<?> response) {
        return response.headers().firstValue("Content-Type").orElse(null);
    }

    private static String reasonOf(IOException e) {
        String message = e.getMessage();
        return switch (e) {
            case HttpConnectTimeoutException _ -> "no connection within " + CONNECT.toSeconds() + " s";
            case ConnectException _ -> "no connection (" + (message == null ? "refused or unreachable" : message) + ")";
            default -> e.getClass().getSimpleName() + (message == null ? "" : ": " + message);
        };
    }

    private static String query(Map<String, String> params) {
        return new TreeMap<>(params).entrySet().stream()
                .map(param -> encoded(param.getKey()) + "=" + encoded(param.getValue()))
                .collect(Collectors.joining("&"));
    }

    /** Percent-encoded UTF-8 with spaces as %20, which form decoders and URI decoders both read. */
    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
