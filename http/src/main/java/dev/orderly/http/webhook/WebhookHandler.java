package dev.orderly.http.webhook;

import dev.orderly.http.user.job.EventsJson;
import dev.orderly.http.user.job.StepsJson;
import dev.orderly.http.user.job.WorkerList;
import dev.orderly.http.webhook.WebhookExchange.Answer;
import dev.orderly.job.Handler;
import dev.orderly.job.Job;
import dev.orderly.job.Payload;
import dev.orderly.job.ReportedFailureException;
import dev.orderly.job.RetryLater;
import dev.orderly.job.Throttled;
import dev.orderly.job.Unprocessable;
import dev.orderly.job.present.Redaction;
import dev.orderly.time.Time;
import dev.orderly.trace.TraceContext;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * A handler that POSTs each job to a URL: payload and content type as pushed, the job's metadata in headers, signed as
 * Standard Webhooks defines. Any program that answers HTTP can be a worker.
 *
 * <table>
 * <caption>Effect of the answer</caption>
 * <tr><td>2xx</td><td>the job is done; a body of at most 64 KiB is its result, whatever its content type</td></tr>
 * <tr><td>202 with {@code Orderly-Later: 2h}</td><td>the job runs on without a connection until the worker reports its
 * end by the attempt's token, at most for this time; see {@link Job#detach}</td></tr>
 * <tr><td>202 with {@code Orderly-Await: approval; timeout=7d}</td><td>the job waits for the event, see
 * {@link Job#await}; several are separated by commas, and the first that comes counts</td></tr>
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
 * (as a query string, which may exceed a receiver's limit on headers), {@code traceparent} and {@code tracestate};
 * after an attempt that has kept steps {@code Orderly-Steps}, their list as JSON in ASCII, or, if that has more than
 * 4 KiB, {@code Orderly-Steps-At}, the path below the base of reports where the attempt's token gets it; and after an
 * attempt of a job that has events, {@code Orderly-Events} or {@code Orderly-Events-At} in the same way, with the waits
 * that are over.
 *
 * <p>The exchange ends when the job's {@linkplain Job#signal() signal} interrupts it: at the queue's timeout, on
 * cancellation and at a stop. Not guaranteed: that a receiver gets a job only once; {@code webhook-id} identifies
 * repetitions. Thread-safe.
 */
public final class WebhookHandler implements Handler<Payload> {
    private final Webhook webhook;
    private final WebhookExchange exchange;

    /**
     * A handler for one queue.
     *
     * @param redaction masks values of a job in the receiver's words about its failure
     * @param client from {@link #newClient}, shared by all webhooks of a process; asked at each call
     */
    public WebhookHandler(Webhook webhook, AttemptTokens tokens, Redaction redaction, Supplier<HttpClient> client,
            Time time) {
        this.webhook = webhook;
        this.exchange = new WebhookExchange(webhook, tokens, redaction, client, time);
    }

    /** A client for webhooks: HTTP/1.1, no redirects, connects within 10 s. The caller closes it. */
    public static HttpClient newClient() {
        return WebhookExchange.newClient();
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
    public void handle(Payload payload, Job<Payload> job) throws Exception {
        Answer answer;
        try {
            answer = exchange.post(job.id().toString(), payload.bytes(), headers(payload, job), Job.RESULT_MAX);
        } catch (IllegalArgumentException e) {
            throw new Unprocessable("The job cannot be posted to " + webhook.shown()
                    + ": its content type is not valid in a header", e);
        }
        exchange.apply(answer, job, payload);
    }

    private HttpRequest.Builder headers(Payload payload, Job<?> job) {
        HttpRequest.Builder headers = HttpRequest.newBuilder().header("Content-Type", payload.contentType())
                .header("Orderly-Queue", job.queueName().value())
                .header("Orderly-Attempt", Integer.toString(job.attempt()))
                .header("Orderly-Sequence", Long.toString(job.sequenceNumber()))
                .header("Orderly-Pushed-At", job.pushedAt().toString())
                .header(AttemptTokens.HEADER, exchange.token(job));
        job.groupId().ifPresent(group -> headers.header("Orderly-Group", encoded(group)));
        job.userId().ifPresent(user -> headers.header("Orderly-User", encoded(user.value())));
        job.trace().ifPresent(trace -> {
            headers.header(TraceContext.PARENT, trace.parent());
            Optional.ofNullable(trace.state()).ifPresent(state -> headers.header(TraceContext.STATE, state));
        });
        list(headers, "Orderly-Steps", StepsJson.LIST, job, job.steps());
        list(headers, "Orderly-Events", EventsJson.LIST, job, job.attempt() == 1 ? List.of() : job.events());
        if (!job.params().isEmpty()) {
            headers.header("Orderly-Params", query(job.params()));
        }
        return headers;
    }

    /** Adds a list that is not empty, or where the worker finds it. */
    private static <E> void list(HttpRequest.Builder headers, String name, WorkerList<E, ?> of, Job<?> job,
            List<E> list) {
        if (!list.isEmpty()) {
            String inline = of.header(list);
            headers.header(inline == null ? name + "-At" : name, inline == null ? of.path(job.id()) : inline);
        }
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
