package dev.orderly.http.webhook;

import dev.orderly.flow.LogLimit;
import dev.orderly.http.intake.MediaType;
import dev.orderly.http.openapi.OmitNull;
import dev.orderly.http.openapi.RecordJson;
import dev.orderly.http.user.job.EventsJson;
import dev.orderly.http.user.job.PayloadJson;
import dev.orderly.http.user.job.StepsJson;
import dev.orderly.http.webhook.WebhookExchange.Answer;
import dev.orderly.job.BatchHandler;
import dev.orderly.job.BatchedJob;
import dev.orderly.job.Job;
import dev.orderly.job.JobEvent;
import dev.orderly.job.Payload;
import dev.orderly.job.ReportedFailureException;
import dev.orderly.job.present.Redaction;
import dev.orderly.text.VisibleText;
import dev.orderly.time.Time;
import dev.orderly.trace.TraceContext;
import dev.orderly.user.UserId;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A handler that POSTs several jobs of a queue to a URL in one request, signed as Standard Webhooks defines: a JSON
 * object whose {@code jobs} have the members of a claimed job. Jobs of more than {@link #BYTES_MAX} bytes are divided
 * into several requests.
 *
 * <p>The status of the answer counts for each job of the request, as {@link WebhookHandler} says. An answer of 2xx may
 * say more of single jobs: {@code {"jobs": [{"id": …, "status": 422, "error": …}]}}, with the members {@code status}
 * (200 if it is left out), {@code result}, {@code later}, {@code await}, {@code retry-after}, and the words of a
 * failure as {@link WorkerError} reads them; null is left out. Jobs that it does not name are done. An answer that
 * cannot be read fails all jobs of the request.
 *
 * <p>Headers: {@code webhook-id} (another one for each request), {@code webhook-timestamp}, {@code webhook-signature},
 * {@code Orderly-Queue}, {@code Orderly-Jobs} (their number). Thread-safe.
 */
public final class BatchWebhookHandler implements BatchHandler<Payload> {
    private static final Logger LOG = LoggerFactory.getLogger(BatchWebhookHandler.class);
    /** The bytes of payloads from which on a further request follows. */
    private static final int BYTES_MAX = 4 << 20;
    private static final int ANSWER_MAX = 8 << 20;
    private static final byte[] NOTHING = {};
    private static final Answer DONE = new Answer(200, null, null, null, null, NOTHING);

    private final Webhook webhook;
    private final WebhookExchange exchange;
    private final LogLimit ignored;

    /** As {@link WebhookHandler#WebhookHandler}. */
    public BatchWebhookHandler(Webhook webhook, AttemptTokens tokens, Redaction redaction, Supplier<HttpClient> client,
            Time time) {
        this.webhook = webhook;
        this.exchange = new WebhookExchange(webhook, tokens, redaction, client, time);
        this.ignored = new LogLimit(LOG, time);
    }

    private record Request(List<Posted> jobs) {}

    /** A job as a claim shows it too. */
    private record Posted(String id, String queue, String sequence, int attempt, int failures, Instant pushedAt,
            @Nullable String user, @Nullable String traceparent, @Nullable String tracestate,
            Map<String, String> params, @Nullable PayloadJson payload, String token,
            @OmitNull @Nullable List<StepsJson.Step> steps, @OmitNull @Nullable String stepsAt,
            @OmitNull @Nullable List<EventsJson.Event> events, @OmitNull @Nullable String eventsAt) {}

    @Override
    public void handle(List<BatchedJob<Payload>> jobs) throws Exception {
        List<BatchedJob<Payload>> request = new ArrayList<>();
        long bytes = 0;
        for (BatchedJob<Payload> job : jobs) {
            if (!request.isEmpty() && bytes + job.payload().size() > BYTES_MAX) {
                post(request);
                request.clear();
                bytes = 0;
            }
            request.add(job);
            bytes += job.payload().size();
        }
        post(request);
    }

    /** Posts jobs; whatever the answer, it settles only these. */
    private void post(List<BatchedJob<Payload>> jobs) throws InterruptedException {
        byte[] body = RecordJson.bytes(new Request(jobs.stream().map(this::posted).toList()));
        Job<Payload> first = jobs.getFirst().job();
        HttpRequest.Builder headers = HttpRequest.newBuilder().header("Content-Type", Payload.JSON)
                .header("Orderly-Queue", first.queueName().value())
                .header("Orderly-Jobs", Integer.toString(jobs.size()));
        try {
            Answer answer = exchange.post(first.id() + "-" + first.attempt() + "-" + jobs.size(), body, headers,
                    ANSWER_MAX);
            boolean single = answer.isSuccess() && !answer.isLater() && !answer.isAwaiting();
            Map<String, Answer> named = single ? answers(answer) : Map.of();
            jobs.forEach(job -> settle(job,
                    named.getOrDefault(job.job().id().toString(), single ? DONE : answer)));
            warnOfOthers(jobs, named.keySet());
        } catch (ReportedFailureException e) {
            jobs.forEach(job -> job.fail(e));
        }
    }

    private Posted posted(BatchedJob<Payload> each) {
        Job<Payload> job = each.job();
        List<JobEvent> events = job.attempt() == 1 ? List.of() : job.events();
        TraceContext trace = job.trace().orElse(null);
        return new Posted(job.id().toString(), job.queueName().value(), Long.toString(job.sequenceNumber()),
                job.attempt(), job.failures(), job.pushedAt(), job.userId().map(UserId::value).orElse(null),
                trace == null ? null : trace.parent(), trace == null ? null : trace.state(), job.params(),
                PayloadJson.of(each.payload(), true),
                exchange.token(job), StepsJson.LIST.inline(job.steps()), StepsJson.LIST.link(job.id(), job.steps()),
                EventsJson.LIST.inline(events), EventsJson.LIST.link(job.id(), events));
    }

    private void settle(BatchedJob<Payload> job, Answer answer) {
        try {
            exchange.apply(answer, job.job(), job.payload());
            job.done();
        } catch (Exception e) { // the failure of this job alone
            job.fail(e);
        }
    }

    private void warnOfOthers(List<BatchedJob<Payload>> jobs, Set<String> named) {
        Set<String> others = new TreeSet<>(named);
        jobs.forEach(job -> others.remove(job.job().id().toString()));
        if (!others.isEmpty()) {
            ignored.warn("POST {} was answered for {} jobs that it did not post, such as {}", webhook.shown(),
                    others.size(), VisibleText.of(others.iterator().next()));
        }
    }

    /**
     * What an answer says of single jobs, by their ids; empty if it says nothing of any.
     *
     * @throws ReportedFailureException if it cannot be read: some of the jobs may have failed
     */
    private Map<String, Answer> answers(Answer answer) throws ReportedFailureException {
        Map<String, Answer> answers = new HashMap<>();
        JsonNode jobs = json(answer).path("jobs");
        if (isSet(jobs) && !jobs.isArray()) {
            throw unreadable("a member jobs that is no list");
        }
        for (JsonNode job : jobs) {
            Answer own = answer(job);
            if (answers.put(job.path("id").stringValue().toLowerCase(Locale.ROOT), own) != null) {
                throw unreadable("a job that is named twice");
            }
        }
        return answers;
    }

    /** The body of an answer, also of one that does not call itself JSON: its failures must not be lost. */
    private JsonNode json(Answer answer) throws ReportedFailureException {
        boolean isDeclared = isJson(answer);
        if (answer.body().length > ANSWER_MAX && isDeclared) {
            throw unreadable("more than " + ANSWER_MAX + " bytes");
        }
        try {
            return JsonMapper.shared().readTree(answer.body());
        } catch (JacksonException e) {
            if (isDeclared && answer.body().length > 0) {
                throw unreadable("a body that is no JSON: " + e.getOriginalMessage());
            }
            return JsonMapper.shared().missingNode();
        }
    }

    private Answer answer(JsonNode job) throws ReportedFailureException {
        String later = text(job, "later");
        String await = text(job, "await");
        String retryAfter = text(job, "retry-after");
        int status = isSet(job.path("status")) ? job.path("status").intValue(0) : 200;
        if (status < 200 || status > 599 || !job.path("id").isString()) {
            throw unreadable("a job without an id, or with a status outside 200 to 599");
        }
        if (status >= 300) {
            return new Answer(status, null, null, retryAfter, Payload.JSON, JsonMapper.shared().writeValueAsBytes(job));
        }
        JsonNode result = job.path("result");
        return new Answer(later == null && await == null ? status : 202, later, await, null, Payload.JSON,
                isSet(result) ? JsonMapper.shared().writeValueAsBytes(result) : NOTHING);
    }

    /** A time as text or as a number; null if it is left out. */
    private @Nullable String text(JsonNode job, String member) throws ReportedFailureException {
        JsonNode value = job.path(member);
        if (isSet(value) && !value.isString() && !value.isNumber()) {
            throw unreadable("a member " + member + " that is no text");
        }
        return isSet(value) ? value.asString() : null;
    }

    private static boolean isSet(JsonNode member) {
        return !member.isMissingNode() && !member.isNull();
    }

    private ReportedFailureException unreadable(String what) {
        return new ReportedFailureException("POST " + webhook.shown() + " was answered with " + what
                + ": answer {\"jobs\": [{\"id\": …, \"status\": …}]} or no body", "");
    }

    private static boolean isJson(Answer answer) {
        try {
            return answer.contentType() != null && MediaType.parse(answer.contentType()).isJson();
        } catch (IllegalArgumentException _) {
            return false;
        }
    }
}
