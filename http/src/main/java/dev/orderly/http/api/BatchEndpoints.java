package dev.orderly.http.api;

import static dev.orderly.http.openapi.ErrorAnswer.NOT_FOUND;
import static dev.orderly.http.openapi.ErrorAnswer.QUEUE_FULL;

import dev.orderly.http.access.ApiEndpoint;
import dev.orderly.http.access.OperationEndpoints;
import dev.orderly.http.openapi.OperationDoc;
import dev.orderly.http.openapi.OperationDoc.Body;
import dev.orderly.http.openapi.Parameter;
import dev.orderly.http.openapi.RecordJson;
import dev.orderly.job.BatchName;
import dev.orderly.job.BatchView;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.job.engine.JobBatches;
import dev.orderly.job.present.Redaction;
import dev.orderly.operate.BatchControl;
import dev.orderly.operate.Operation;
import dev.orderly.operate.OperationSpec;
import dev.orderly.web.message.QueryParameters;
import dev.orderly.web.message.Request;
import dev.orderly.web.message.Response;
import dev.orderly.web.problem.Problem;
import dev.orderly.web.problem.ProblemException;
import dev.orderly.web.problem.ProblemType;
import dev.orderly.web.route.Endpoint.BodyLimit;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Batches: open, look, close and cancel. */
final class BatchEndpoints {
    private static final String TAG = "jobs";
    private static final int PAGE = 50;
    private static final int PAGE_MAX = 200;
    private static final BodyLimit BODY = new BodyLimit(1 << 20,
            new Problem(ProblemType.TOO_LARGE,
                    "A batch is opened with at most 1 MiB: push a reference to the content of"
                            + " its callback"));

    private final OperationEndpoints operations;
    private final JobBatches batches;
    private final Redaction redaction;
    private final String base;

    BatchEndpoints(OperationEndpoints operations, Redaction redaction) {
        this.operations = operations;
        this.batches = operations.targets().orderly().engines().jobs().batches();
        this.redaction = redaction;
        this.base = operations.base() + "/batches";
    }

    List<ApiEndpoint> endpoints() {
        return List.of(
                ApiEndpoint.view("batches", base, this::all,
                        OperationDoc.of(TAG, "The batches that are kept, the newest first")
                                .takes(Parameter.LIMIT,
                                        Parameter.query("after", Long.class, "The `next` of the page before."))
                                .answers(BatchJson.Page.class, "A page of batches.")),
                operations.of(OperationSpec.OPEN_BATCH, BODY, BatchRequest::of,
                        (_, view) -> RecordJson.answer(201, BatchJson.of(view)).withHeader("Location",
                                base + "/" + view.name()),
                        OperationDoc.of(TAG, OperationSpec.OPEN_BATCH).body(Body.of(BatchRequest.Members.class))
                                .answers(201, BatchJson.class, "The batch is open and durable.")
                                .refuses(QUEUE_FULL)),
                ApiEndpoint.view("batch", base + "/{batch}", call -> RecordJson.ok(BatchJson.of(batch(call))),
                        OperationDoc.of(TAG, "One batch, with its counts").answers(BatchJson.class, "The batch.")
                                .refuses(NOT_FOUND)),
                ApiEndpoint.view("whyBatch", base + "/{batch}/why", this::why,
                        OperationDoc.of(TAG, "What the callback of a batch waits for")
                                .answers(WhyJson.Batch.class, "The cause, as this node sees it. Also of a batch whose"
                                        + " callback was pushed, or that is not kept.")
                                .refuses(NOT_FOUND)),
                ApiEndpoint.view("batchJobs", base + "/{batch}/jobs", this::members,
                        OperationDoc.of(TAG, "The members of a batch that have not ended, or are dead letters, by id")
                                .takes(Parameter.query("state", JobState.class, "Waiting, delayed, running or dead;"
                                        + " dead if absent."), Parameter.LIMIT,
                                        Parameter.query("after", JobId.class, "The `next` of the page before."))
                                .answers(JobJson.Page.class, "A page of members.").refuses(NOT_FOUND)),
                change(OperationSpec.CLOSE_BATCH, BatchControl::close, "The batch is closed."),
                change(OperationSpec.CANCEL_BATCH, BatchControl::cancel, "The batch is cancelled by and by."));
    }

    private ApiEndpoint change(OperationSpec spec, Function<String, Operation<BatchView>> operation, String answer) {
        return operations.bodiless(spec, call -> operation.apply(OperationEndpoints.param(call, "batch")),
                (_, view) -> RecordJson.ok(BatchJson.of(view)),
                OperationDoc.of(TAG, spec).answers(BatchJson.class, answer));
    }

    private BatchView batch(Request call) {
        return operations.targets().batch(OperationEndpoints.param(call, "batch"));
    }

    private Response why(Request call) {
        BatchName name = operations.targets().batchName(OperationEndpoints.param(call, "batch"));
        return RecordJson.ok(WhyJson.Batch.of(operations.targets().orderly().why(name)));
    }

    private Response all(Request call) {
        QueryParameters query = QueryParameters.of(call.head(), "limit", "after");
        int limit = query.number("limit", 1, PAGE_MAX, PAGE);
        String after = query.text("after");
        long below;
        try {
            below = after == null ? Long.MAX_VALUE : Long.parseLong(after);
        } catch (NumberFormatException _) {
            throw new ProblemException(ProblemType.BAD_REQUEST,
                    "Query parameter after is no number: use the next of the page before");
        }
        List<BatchView> page = batches.list(below, limit);
        return RecordJson.ok(new BatchJson.Page(page.stream().map(BatchJson::of).toList(),
                page.size() < limit ? null : Long.valueOf(page.getLast().number())));
    }

    private Response members(Request call) {
        QueryParameters query = QueryParameters.of(call.head(), "state", "limit", "after");
        int limit = query.number("limit", 1, PAGE_MAX, PAGE);
        String after = query.text("after");
        List<JobView> page = batches.members(operations.targets().batch(call.head().param("batch")),
                state(query.text("state")), after == null ? null : operations.targets().jobId(after), limit);
        return RecordJson.ok(new JobJson.Page(JobJson.briefs(page, redaction),
                page.size() < limit ? null : page.getLast().id()));
    }

    private static JobState state(@Nullable String text) {
        return switch (text == null ? "dead" : text.toLowerCase(Locale.ROOT)) {
            case "dead" -> JobState.DEAD;
            case "waiting" -> JobState.WAITING;
            case "delayed" -> JobState.DELAYED;
            case "running" -> JobState.RUNNING;
            case String other -> throw new ProblemException(ProblemType.BAD_REQUEST, "Members that are " + other
                    + " are not listed: use waiting, delayed, running or dead, or search for jobs of their queue");
        };
    }
}
