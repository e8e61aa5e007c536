package dev.orderly.http.api;

import static dev.orderly.http.openapi.ErrorAnswer.ATTEMPT_OVER;
import static dev.orderly.http.openapi.ErrorAnswer.NOT_FOUND;
import static dev.orderly.http.openapi.ErrorAnswer.UNPROCESSABLE;
import static dev.orderly.http.openapi.ErrorAnswer.UNSUPPORTED_CONTENT;

import dev.orderly.access.Role;
import dev.orderly.http.access.ApiCall;
import dev.orderly.http.access.ApiEndpoint;
import dev.orderly.http.access.LeastRole;
import dev.orderly.http.api.json.JsonBody;
import dev.orderly.http.intake.DelayText;
import dev.orderly.http.openapi.OperationDoc;
import dev.orderly.http.openapi.OperationDoc.Body;
import dev.orderly.http.openapi.Parameter;
import dev.orderly.http.openapi.RecordJson;
import dev.orderly.http.user.job.EventsJson;
import dev.orderly.http.user.job.ProgressJson;
import dev.orderly.http.user.job.StepsJson;
import dev.orderly.http.webhook.AttemptTokens;
import dev.orderly.http.webhook.WorkerError;
import dev.orderly.http.webhook.WorkerResult;
import dev.orderly.job.Job;
import dev.orderly.job.JobProgress;
import dev.orderly.job.JobStep;
import dev.orderly.job.Throttled;
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
import dev.orderly.web.problem.ProblemException;
import dev.orderly.web.problem.ProblemType;
import dev.orderly.web.route.Endpoint;
import dev.orderly.web.route.Endpoint.BodyLimit;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What a worker reports about an attempt whose token it has: {@code done}, {@code failed}, {@code progress},
 * {@code await}, {@code snooze}, {@code throttled}, {@code heartbeat}, {@code release}, {@code steps} and
 * {@code events} below a job, links of events, and several at once.
 */
public final class AttemptEndpoints {
    private static final String TAG = "workers";
    private static final String DONE = "Done as the body says.";
    private static final int SMALL = 16 << 10;
    private static final int REPORTS_BYTES = 1 << 20;
    private static final int REPORTS_MAX = 100;

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
        return Stream.concat(reports(), Stream.of(steps(this::stepsOfAttempt), events(this::eventsOfAttempt)))
                .map(ApiEndpoint::endpoint).toList();
    }

    /** The endpoints below one job, and of several reports, for the API. */
    List<ApiEndpoint> all() {
        return Stream
                .concat(reports(), Stream.of(steps(this::shownSteps), events(this::shownEvents), endpoint("report",
                        "/attempts", REPORTS_BYTES,
                        call -> RecordJson.ok(several(call)), OperationDoc.of(TAG, "Several reports at once")
                                .body(Body.of(ReportJson.Reports.class)).answers(ReportJson.Several.class, DONE))))
                .toList();
    }

    private Stream<ApiEndpoint> reports() {
        return Stream.of(
                report("done", "The job is done", Job.RESULT_MAX,
                        call -> reports.done(attempt(call),
                                WorkerResult.of(call.head().header("Content-Type"), call.body())),
                        doc -> doc
                                .details("The body, of any content type and at most 64 KiB, is the result. A repeated"
                                        + " report is answered as the first.")
                                .body(Body.any("*/*").optional())
                                .refuses(UNSUPPORTED_CONTENT, UNPROCESSABLE)),
                report("failed", "The attempt has failed", Job.RESULT_MAX, this::failed,
                        doc -> doc
                                .details("The body says why: a problem (RFC 9457), JSON with `error` or `message`, or"
                                        + " text. Its message becomes the summary of the failure.")
                                .takes(Parameter.query("retry-in", "The delay before the retry, such as `30s`, at most"
                                        + " 24 hours; the backoff of the queue if not given."),
                                        Parameter.query("final", Boolean.class,
                                                "Whether the job becomes a dead letter at once."))
                                .body(Body.any("*/*").optional())
                                .refuses(UNSUPPORTED_CONTENT, UNPROCESSABLE)),
                report("progress", "How far the job is", SMALL,
                        call -> progress(attempt(call), JsonBody.of(call, ProgressJson.class)),
                        doc -> doc.body(Body.of(ProgressJson.class))),
                endpoint("keepStep", "PUT", "/jobs/{id}/steps/{step}", JobStep.VALUE_MAX,
                        call -> RecordJson.ok(reports.keep(attempt(call), call.head().param("step"),
                                WorkerResult.of(call.head().header("Content-Type"), call.body()))),
                        OperationDoc.of(TAG, "A step is done")
                                .details("Kept with the job: the next attempt finds it, and need not do it again. The"
                                        + " body, of any content type and at most 64 KiB, is its value; all of a job"
                                        + " have at most 256 KiB. A repeated report is answered as the first; another"
                                        + " value under the same name is refused.")
                                .takes(Parameter.ATTEMPT_TOKEN).body(Body.any("*/*").optional())
                                .answers(ReportJson.class, DONE)
                                .refuses(ATTEMPT_OVER, UNSUPPORTED_CONTENT, UNPROCESSABLE)),
                report("await", "Wait for an event", SMALL,
                        call -> await(attempt(call), JsonBody.of(call, ReportJson.Awaited.class)),
                        doc -> doc.details("Ends the attempt; counts as no failure. The job is due once the event has"
                                + " come, at once if it has, or else when the time is over, which counts from the first"
                                + " wait for this name. The next claim brings the events. Refused if the wait is over"
                                + " already.").body(Body.of(ReportJson.Awaited.class)).refuses(UNPROCESSABLE)),
                endpoint("makeEventLink", "POST", "/jobs/{id}/events/{event}/link", SMALL,
                        call -> RecordJson.ok(reports.link(attempt(call), call.head().param("event"),
                                timeout(JsonBody.of(call, ReportJson.Waits.class)))),
                        OperationDoc.of(TAG, "A link that sends an event")
                                .details("For who has no key, such as the receiver of a mail: a POST to it sends the"
                                        + " event. The job awaits the event from now on, and the attempt goes on: ask"
                                        + " for the link, pass it on, and end the attempt by a wait for the same name."
                                        + " The link ends with the wait. A repeated question gets the same end.")
                                .takes(Parameter.ATTEMPT_TOKEN).body(Body.of(ReportJson.Waits.class))
                                .answers(EventLinkJson.class, "The link.").refuses(ATTEMPT_OVER, UNPROCESSABLE)),
                report("snooze", "Run the job again later", SMALL,
                        call -> reports.snooze(attempt(call),
                                delay(JsonBody.of(call, ReportJson.Snooze.class), "delay", Duration.ZERO,
                                        Job.SNOOZE_MAX)),
                        doc -> doc.details("Counts as no failure.").body(Body.of(ReportJson.Snooze.class))),
                report("throttled", "The work was refused for a time", SMALL,
                        call -> throttled(attempt(call), JsonBody.of(call, ReportJson.Rested.class)),
                        doc -> doc.details(
                                "Counts as no failure. The key of the job rests on all nodes, without a key the"
                                        + " limit of the queue, without both the job alone; with `all` the limit rests"
                                        + " in each case. The 100th in a row makes the job a dead letter.")
                                .body(Body.of(ReportJson.Rested.class))),
                report("heartbeat", "Prolong the lease", SMALL,
                        call -> reports.heartbeat(attempt(call),
                                lease(JsonBody.of(call, ReportJson.Heartbeat.class))),
                        doc -> doc.body(Body.of(ReportJson.Heartbeat.class))),
                report("release", "Give the job back", 0, call -> reports.release(attempt(call)),
                        doc -> doc.details("The job waits again at once, at its old position, and no failure is"
                                + " counted: for a worker that stops.")));
    }

    private ApiEndpoint report(String report, String summary, int bytes, Function<Request, ReportJson> action,
            UnaryOperator<OperationDoc> more) {
        return endpoint("report" + Character.toUpperCase(report.charAt(0)) + report.substring(1),
                "/jobs/{id}/" + report, bytes, call -> RecordJson.ok(action.apply(call)),
                more.apply(OperationDoc.of(TAG, summary).takes(Parameter.ATTEMPT_TOKEN)
                        .answers(ReportJson.class, DONE).refuses(ATTEMPT_OVER)));
    }

    /** The attempt's token names the queue, and only who claims from the queue or works for it gets one. */
    private ApiEndpoint endpoint(String operation, String path, int bytes, Endpoint.Action action,
            OperationDoc doc) {
        return endpoint(operation, "POST", path, bytes, action, doc);
    }

    private ApiEndpoint endpoint(String operation, String method, String path, int bytes, Endpoint.Action action,
            OperationDoc doc) {
        BodyLimit limit = new BodyLimit(bytes, new Problem(ProblemType.TOO_LARGE, method + " " + base + path
                + " takes at most " + bytes + " bytes: keep larger content elsewhere and send a reference"));
        return new ApiEndpoint(operation, LeastRole.OPERATOR.orWorker(),
                new Endpoint(method, PathTemplate.parse(base + path), _ -> limit, Map.of(), action), doc);
    }

    private AttemptId attempt(Request call) {
        return reports.attempt(call.head().param("id"), call.head().header(AttemptTokens.HEADER));
    }

    private ApiEndpoint steps(Endpoint.Action action) {
        return list("steps", "The steps that a job has done", "as they were kept", action,
                doc -> doc.answers(StepsJson.class, "The steps."));
    }

    private ApiEndpoint events(Endpoint.Action action) {
        return list("events", "The events that have come for a job, and those that it awaits", "as they came", action,
                doc -> doc.answers(EventsJson.class, "The events."));
    }

    /**
     * A list of a job.
     *
     * @param name the last part of its path
     * @param values how the values are, as a worker gets them
     * @param action answers with the list of the job in the path
     */
    private ApiEndpoint list(String name, String sentence, String values, Endpoint.Action action,
            UnaryOperator<OperationDoc> answer) {
        OperationDoc doc = OperationDoc.of(TAG, sentence)
                .details("With the token of an attempt the values " + values + ", else with masked values; a worker"
                        + " needs the token.")
                .takes(Parameter.header(AttemptTokens.HEADER, "The token of an attempt of the job.")
                        .with("maxLength: 200"));
        return new ApiEndpoint(name, LeastRole.VIEWER.orWorker(),
                Endpoint.bodiless("GET", base + "/jobs/{id}/" + name, action),
                answer.apply(doc).refuses(NOT_FOUND, ATTEMPT_OVER));
    }

    private Response stepsOfAttempt(Request call) {
        QueryParameters.of(call.head());
        AttemptId attempt = attempt(call);
        return RecordJson.ok(StepsJson.of(attempt.id(), reports.steps(attempt)));
    }

    private Response shownSteps(Request call) {
        return isOfWorker(call) ? stepsOfAttempt(call) : masked(call, reports::maskedSteps);
    }

    private Response eventsOfAttempt(Request call) {
        QueryParameters.of(call.head());
        AttemptId attempt = attempt(call);
        return RecordJson.ok(EventsJson.of(attempt.id(), reports.events(attempt)));
    }

    private Response shownEvents(Request call) {
        return isOfWorker(call) ? eventsOfAttempt(call) : masked(call, reports::maskedEvents);
    }

    private static Response masked(Request call, Function<String, ?> list) {
        QueryParameters.of(call.head());
        return RecordJson.ok(list.apply(call.head().param("id")));
    }

    private static boolean isOfWorker(Request call) {
        return ApiCall.current().caller().identity().role() == Role.WORKER
                || call.head().header(AttemptTokens.HEADER) != null;
    }

    private ReportJson await(AttemptId attempt, JsonNode json) {
        String event = text(json, "event");
        if (event == null) {
            throw JsonBody.bad("The body needs \"event\" as a name, such as {\"event\": \"approval\", \"timeout\":"
                    + " \"7d\"}");
        }
        return reports.await(attempt, event, timeout(json));
    }

    private static Duration timeout(JsonNode json) {
        return delay(json, "timeout", Duration.ofMillis(1), Job.AWAIT_MAX);
    }

    private ReportJson failed(Request call) {
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

    private ReportJson progress(AttemptId attempt, JsonNode json) {
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

    private ReportJson throttled(AttemptId attempt, JsonNode json) {
        JsonNode all = json.path("all");
        if (!all.isMissingNode() && !all.isNull() && !all.isBoolean()) {
            throw JsonBody.bad("all is " + all + ": use true or false");
        }
        return reports.throttled(attempt, delay(json, "rest", Throttled.REST_MIN, Throttled.REST_MAX),
                all.asBoolean(false));
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

    private ReportJson.Several several(Request call) {
        JsonNode list = JsonBody.of(call, ReportJson.Reports.class).path("reports");
        if (!list.isArray() || list.isEmpty() || list.size() > REPORTS_MAX) {
            throw JsonBody.bad("The body needs \"reports\", a list of 1 to " + REPORTS_MAX);
        }
        return new ReportJson.Several(list.valueStream().map(this::one).toList());
    }

    /** One report of several. A refusal concerns this report only. */
    private ReportJson.OfSeveral one(JsonNode report) {
        String id = report.path("id").asString("");
        try {
            return ReportJson.OfSeveral.of(report(reports.attempt(id, text(report, "token")), report));
        } catch (ProblemException refusal) {
            return ReportJson.OfSeveral.refused(id, refusal.problem());
        }
    }

    private ReportJson report(AttemptId attempt, JsonNode report) {
        String kind = report.path("report").asString("");
        return switch (kind) {
            case "done" -> reports.done(attempt, ReportedResult.read(report.path("result")));
            case "failed" -> reports.failed(attempt,
                    masked -> new WorkerError(masked.apply(report.path("error").asString("")),
                            masked.apply(report.path("detail").asString(""))),
                    report.has("retryIn")
                            ? delay(report, "retryIn", Duration.ZERO, Duration.ofHours(24))
                            : null,
                    report.path("final").asBoolean(false));
            case "progress" -> progress(attempt, report);
            case "await" -> await(attempt, report);
            case "snooze" -> reports.snooze(attempt, delay(report, "delay", Duration.ZERO, Job.SNOOZE_MAX));
            case "throttled" -> throttled(attempt, report);
            case "heartbeat" -> reports.heartbeat(attempt, lease(report));
            case "release" -> reports.release(attempt);
            default -> throw JsonBody.bad("\"" + kind
                    + "\" is not a report: use done, failed, progress, await, snooze, throttled, heartbeat or release");
        };
    }

    private static @Nullable String text(JsonNode node, String name) {
        JsonNode value = node.path(name);
        return value.isString() ? value.stringValue() : null;
    }
}
