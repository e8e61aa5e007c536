package dev.orderly.http.webhook;

import dev.orderly.job.Handler;
import dev.orderly.job.Job;
import dev.orderly.job.Payload;
import dev.orderly.job.RetryLater;
import dev.orderly.job.Unprocessable;
import dev.orderly.time.Time;
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
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * A handler that POSTs each job to a URL: payload and content type as pushed, the job's metadata in headers, signed as
 * Standard Webhooks defines. Any program that answers HTTP can be a worker.
 *
 * <table>
 * <caption>Effect of the answer</caption>
 * <tr><td>2xx</td><td>the job is done; a JSON body of at most 64 KiB is its result</td></tr>
 * <tr><td>408, 409, 429, 5xx, no answer</td><td>failed, retried: after {@code Retry-After}, else with the queue's
 * backoff</td></tr>
 * <tr><td>any other, redirects too</td><td>dead letter</td></tr>
 * </table>
 *
 * <p>Headers: {@code webhook-id} (the job's id), {@code webhook-timestamp}, {@code webhook-signature};
 * {@code Orderly-Queue}, {@code Orderly-Attempt}, {@code Orderly-Sequence}, {@code Orderly-Pushed-At} (ISO-8601); and,
 * if the job has them, {@code Orderly-Group}, {@code Orderly-User} (both percent-encoded UTF-8), {@code Orderly-Params}
 * (as a query string, which may exceed a receiver's limit on headers).
 *
 * <p>The exchange ends when the job's {@linkplain Job#signal() signal} interrupts it: at the queue's timeout, on
 * cancellation and at a stop. Not guaranteed: that a receiver gets a job only once; {@code webhook-id} identifies
 * repetitions. Thread-safe.
 */
public final class WebhookHandler implements Handler<Payload> {
    private static final Duration CONNECT = Duration.ofSeconds(10);
    private static final int ANSWER_MAX = Job.RESULT_MAX;
    private static final int SHOWN_MAX = 2_000;
    private static final List<Integer> RETRIED = List.of(408, 409, 429);

    private final Webhook webhook;
    private final HttpClient client;
    private final Time time;

    /** @param client from {@link #newClient}, shared by all webhooks of a process */
    public WebhookHandler(Webhook webhook, HttpClient client, Time time) {
        this.webhook = webhook;
        this.client = client;
        this.time = time;
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
     * @throws RetryLater if the attempt failed and the receiver named a time for the retry
     * @throws Unprocessable if the receiver refuses the job for good
     * @throws WebhookFailed if the attempt failed otherwise
     */
    @Override
    public void handle(Payload payload, Job job) throws WebhookFailed, InterruptedException {
        HttpRequest request = request(payload, job);
        int status;
        byte[] body;
        Optional<String> retryAfter;
        boolean json;
        try {
            HttpResponse<InputStream> response = client.send(request, BodyHandlers.ofInputStream());
            try (InputStream stream = response.body()) {
                body = stream.readNBytes(ANSWER_MAX + 1);
            }
            status = response.statusCode();
            retryAfter = response.headers().firstValue("Retry-After");
            json = response.headers().firstValue("Content-Type").map(WebhookHandler::isJson).orElse(false);
        } catch (IOException e) {
            if (Thread.interrupted() || e.getCause() instanceof InterruptedException) {
                throw new InterruptedException("Interrupted while " + webhook.shown() + " was answering");
            }
            throw new WebhookFailed("POST " + webhook.shown() + " got no answer: " + reasonOf(e), e);
        }
        if (status >= 200 && status < 300) {
            keepResult(json, body, job);
        } else {
            fail(status, retryAfter, body);
        }
    }

    private HttpRequest request(Payload payload, Job job) {
        Instant now = time.now();
        try {
            HttpRequest.Builder request = HttpRequest.newBuilder(webhook.target())
                    .POST(BodyPublishers.ofByteArray(payload.bytes())).header("Content-Type", payload.contentType())
                    .header("User-Agent", "Orderly").header("Orderly-Queue", job.queueName().value())
                    .header("Orderly-Attempt", Integer.toString(job.attempt()))
                    .header("Orderly-Sequence", Long.toString(job.sequenceNumber()))
                    .header("Orderly-Pushed-At", job.pushedAt().toString());
            webhook.authorization().ifPresent(value -> request.header("Authorization", value));
            job.groupId().ifPresent(group -> request.header("Orderly-Group", encoded(group)));
            job.userId().ifPresent(user -> request.header("Orderly-User", encoded(user)));
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

    private static void keepResult(boolean json, byte[] body, Job job) {
        if (!json || body.length == 0 || body.length > ANSWER_MAX) {
            return;
        }
        try {
            JsonMapper.shared().readTree(body);
        } catch (JacksonException _) {
            return; // invalid JSON is no result, but the job is done
        }
        job.result(new Payload(Payload.JSON, body));
    }

    private void fail(int status, Optional<String> retryAfter, byte[] body) throws WebhookFailed {
        String message = "POST " + webhook.shown() + " was answered " + status;
        Throwable answer = answerOf(body);
        if (status < 500 && !RETRIED.contains(status)) {
            throw new Unprocessable(message + ", which is final: redrive it once the receiver accepts it", answer);
        }
        Duration wait = retryAfter.flatMap(value -> RetryAfter.parse(value, time.now())).orElse(null);
        if (wait != null) {
            throw new RetryLater(wait, message + " with a retry after " + wait.toSeconds() + " s", answer);
        }
        throw new WebhookFailed(message, answer);
    }

    /** The beginning of the receiver's answer, as the cause of the failure. */
    private static @Nullable Throwable answerOf(byte[] body) {
        if (body.length == 0) {
            return null;
        }
        String text = new String(Arrays.copyOf(body, Math.min(body.length, SHOWN_MAX)), StandardCharsets.UTF_8);
        return new WebhookFailed("The answer: " + text, null);
    }

    private static boolean isJson(String contentType) {
        String name = contentType.split(";", 2)[0].strip().toLowerCase(java.util.Locale.ROOT);
        return name.equals(Payload.JSON) || name.endsWith("+json");
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
