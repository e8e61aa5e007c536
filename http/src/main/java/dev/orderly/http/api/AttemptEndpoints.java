package dev.orderly.http.api;

import dev.orderly.http.access.ApiEndpoint;
import dev.orderly.http.access.LeastRole;
import dev.orderly.http.api.json.JsonBody;
import dev.orderly.http.api.json.JsonText;
import dev.orderly.http.intake.DelayText;
import dev.orderly.http.webhook.AttemptTokens;
import dev.orderly.http.webhook.WorkerError;
import dev.orderly.http.webhook.WorkerResult;
import dev.orderly.job.Job;
import dev.orderly.job.JobProgress;
import dev.orderly.job.engine.JobClient;
import dev.orderly.job.present.Redaction;
import dev.orderly.job.pull.PullRequest;
import dev.orderly.job.store.AttemptId;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.web.message.QueryParameters;
import dev.orderly.web.message.Request;
import dev.orderly.web.message.Response;
import dev.orderly.web.path.PathTemplate;
import dev.orderly.web.problem.Problem;
import dev.orderly.web.problem.ProblemType;
import dev.orderly.web.problem.Refusal;
import dev.orderly.web.route.Endpoint;
import dev.orderly.web.route.Endpoint.BodyLimit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a worker reports about an attempt whose token it has: {@code done}, {@code failed}, {@code progress},
 * {@code snooze}, {@code heartbeat} and {@code release} below a job, and several at once.
 */
public final class AttemptEndpoints {
    private static final int SMALL = 16 << 10;
    private static final int BATCH_BYTES = 1 << 20;
    private static final int BATCH_MAX = 100;

    private final AttemptReports reports;
    private final String base;

    /**
     * The endpoints below a path.
     *
     * @param redaction masks values of a job in the words of its worker
     * @param base path before {@code /jobs}
     */
    public AttemptEndpoints(JobClient client, AttemptTokens tokens, Redaction redaction, String base) {
        this.reports = new AttemptReports(client, tokens, redaction);
        this.base = base;
    }

    /** The endpoints below one job. */
    public List<Endpoint> ofJob() {
        return List.of(endpoint("/jobs/{id}/done", Job.RESULT_MAX, call -> reports.done(attempt(call),
                WorkerResult.of(call.head().header("Content-Type"), call.body()))),
                endpoint("/jobs/{id}/failed", Job.RESULT_MAX, this::failed),
                endpoint("/jobs/{id}/progress", SMALL, call -> progress(attempt(call),
                        JsonBody.of(call, "done", "total", "text"))),
                endpoint("/jobs/{id}/snooze", SMALL, call -> reports.snooze(attempt(call),
                        delay(JsonBody.of(call, "delay"), "delay", Duration.ZERO, Job.SNOOZE_MAX))),
                endpoint("/jobs/{id}/heartbeat", SMALL, call -> reports.heartbeat(attempt(call),
                        lease(JsonBody.of(call, "lease")))),
                endpoint("/jobs/{id}/release", 0, call -> reports.release(attempt(call))));
    }

    /** The endpoints below one job, and the batch, for the API. */
    List<ApiEndpoint> all() {
        List<ApiEndpoint> all = new ArrayList<>();
        for (Endpoint endpoint : ofJob()) {
            String path = endpoint.path().text();
            String report = path.substring(path.lastIndexOf('/') + 1);
            all.add(work("report" + Character.toUpperCase(report.charAt(0)) + report.substring(1), endpoint));
        }
        all.add(work("report", endpoint("/attempts", BATCH_BYTES, this::batch)));
        return all;
    }

    /** The attempt's token names the queue, and only who claims from the queue or works for it gets one. */
    private static ApiEndpoint work(String operation, Endpoint endpoint) {
        return new ApiEndpoint(operation, LeastRole.OPERATOR.orWorker(), endpoint);
    }

    private interface Action {
        ObjectNode answer(Request call);
    }

    private Endpoint endpoint(String path, int bytes, Action action) {
        BodyLimit limit = new BodyLimit(bytes, new Problem(ProblemType.TOO_LARGE, "POST " + base + path
                + " takes at most " + bytes + " bytes: keep larger content elsewhere and send a reference"));
        return new Endpoint("POST", PathTemplate.parse(base + path), _ -> limit, Map.of(),
                call -> Response.json(200, JsonText.of(action.answer(call))));
    }

    private AttemptId attempt(Request call) {
        return reports.attempt(call.head().param("id"), call.head().header(AttemptTokens.HEADER));
    }

    private ObjectNode failed(Request call) {
        AttemptId attempt = attempt(call);
        QueryParameters query = QueryParameters.of(call.head(), "retry-in", "final");
        String retryIn = query.text("retry-in");
        String last = query.text("final");
        if (last != null && !last.equals("true") && !last.equals("false")) {
            throw QueryParameters.bad("final", last, "use true or false");
        }
        return reports.failed(attempt,
                masked -> WorkerError.of(call.head().header("Content-Type"), call.body(), masked),
                retryIn == null ? null : bounded("retry-in", retryIn, Duration.ZERO, Duration.ofHours(24)),
                "true".equals(last));
    }

    private ObjectNode progress(AttemptId attempt, JsonNode json) {
        JsonNode done = json.path("done");
        JsonNode total = json.path("total");
        if (!done.isIntegralNumber() || !total.isIntegralNumber()) {
            throw JsonBody.bad("The progress needs done and total as whole numbers, such as {\"done\": 3, \"total\":"
                    + " 10, \"text\": \"images\"}");
        }
        try {
            return reports.progress(attempt,
                    new JobProgress(done.longValue(), total.longValue(), json.path("text").asString("")));
        } catch (IllegalArgumentException e) {
            throw JsonBody.bad(String.valueOf(e.getMessage()));
        }
    }

    private static Duration lease(JsonNode json) {
        return delay(json, "lease", PullRequest.LEASE_MIN, AttemptOutcome.LEASE_MAX);
    }

    private static Duration delay(JsonNode json, String name, Duration least, Duration most) {
        JsonNode value = json.path(name);
        if (!value.isString()) {
            throw JsonBody.bad("The body needs \"" + name + "\" as a time, such as {\"" + name + "\": \"10m\"}");
        }
        return bounded(name, value.stringValue(), least, most);
    }

    /** A time within bounds, such as {@code 30s}. */
    static Duration bounded(String name, String text, Duration least, Duration most) {
        Duration value;
        try {
            value = DelayText.parse(text);
        } catch (IllegalArgumentException e) {
            throw JsonBody.bad(name + ": " + e.getMessage());
        }
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw JsonBody.bad(name + " is " + text + ": use " + least + " to " + most);
        }
        return value;
    }

    // ---- several reports

    private ObjectNode batch(Request call) {
        JsonNode list = JsonBody.of(call, "reports").path("reports");
        if (!list.isArray() || list.isEmpty() || list.size() > BATCH_MAX) {
            throw JsonBody.bad("The body needs \"reports\", a list of 1 to " + BATCH_MAX);
        }
        ObjectNode answer = JsonText.object();
        ArrayNode results = answer.putArray("results");
        for (JsonNode report : list) {
            results.add(one(report));
        }
        return answer;
    }

    /** One report of several. A refusal concerns this report only. */
    private ObjectNode one(JsonNode report) {
        try {
            AttemptId attempt = reports.attempt(report.path("id").asString(""), text(report, "token"));
            return report(attempt, report);
        } catch (Refusal refusal) {
            return JsonText.object().put("id", report.path("id").asString("")).put("result", "refused")
                    .put("status", refusal.problem().type().status()).put("detail", refusal.problem().detail());
        }
    }

    private ObjectNode report(AttemptId attempt, JsonNode report) {
        String kind = report.path("report").asString("");
        return switch (kind) {
            case "done" -> reports.done(attempt, PayloadJson.read(report.path("result")));
            case "failed" -> reports.failed(attempt,
                    masked -> new WorkerError(masked.apply(report.path("error").asString("")),
                            masked.apply(report.path("detail").asString(""))),
                    report.has("retryIn")
                            ? delay(report, "retryIn", Duration.ZERO, Duration.ofHours(24))
                            : null,
                    report.path("final").asBoolean(false));
            case "progress" -> progress(attempt, report);
            case "snooze" -> reports.snooze(attempt, delay(report, "delay", Duration.ZERO, Job.SNOOZE_MAX));
            case "heartbeat" -> reports.heartbeat(attempt, lease(report));
            case "release" -> reports.release(attempt);
            default -> throw JsonBody.bad("\"" + kind
                    + "\" is not a report: use done, failed, progress, snooze, heartbeat or release");
        };
    }

    private static @Nullable String text(JsonNode node, String name) {
        JsonNode value = node.path(name);
        return value.isString() ? value.stringValue() : null;
    }
}
