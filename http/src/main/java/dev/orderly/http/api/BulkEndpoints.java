package dev.orderly.http.api;

import static dev.orderly.http.openapi.ErrorAnswer.NOT_FOUND;

import dev.orderly.http.access.ApiEndpoint;
import dev.orderly.http.access.LeastRole;
import dev.orderly.http.access.OperationEndpoints;
import dev.orderly.http.api.json.JsonBody;
import dev.orderly.http.openapi.OperationDoc;
import dev.orderly.http.openapi.OperationDoc.Body;
import dev.orderly.http.openapi.RecordJson;
import dev.orderly.job.JobId;
import dev.orderly.job.bulk.BulkCount;
import dev.orderly.job.bulk.BulkOperations;
import dev.orderly.job.bulk.BulkRequest;
import dev.orderly.job.bulk.BulkStatus;
import dev.orderly.job.present.Redaction;
import dev.orderly.job.search.JobSearch;
import dev.orderly.job.search.SearchTerms;
import dev.orderly.operate.BulkControl;
import dev.orderly.operate.Operation;
import dev.orderly.operate.OperationSpec;
import dev.orderly.web.message.QueryParameters;
import dev.orderly.web.message.Request;
import dev.orderly.web.message.Response;
import dev.orderly.web.path.PathTemplate;
import dev.orderly.web.problem.Problem;
import dev.orderly.web.problem.ProblemType;
import dev.orderly.web.route.Endpoint;
import dev.orderly.web.route.Endpoint.BodyLimit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Bulk operations on jobs: count, start, progress and stop. */
final class BulkEndpoints {
    private static final BodyLimit BODY = new BodyLimit(1 << 20, new Problem(ProblemType.TOO_LARGE,
            "The body of a bulk operation has more than 1 MiB: name fewer ids, or a search"));
    private static final String TAG = "jobs";

    private final OperationEndpoints operations;
    private final BulkOperations bulk;
    private final Redaction redaction;
    private final String base;

    BulkEndpoints(OperationEndpoints operations, Redaction redaction) {
        this.operations = operations;
        this.redaction = redaction;
        this.bulk = operations.targets().orderly().engines().bulk();
        this.base = operations.base() + "/bulk";
    }

    List<ApiEndpoint> endpoints() {
        return List.of(
                ApiEndpoint.view("bulkOperations", base, this::all,
                        OperationDoc.of(TAG, "The bulk operations of this node")
                                .answers(BulkJson.All.class, "Running and recent operations, the newest first.")),
                new ApiEndpoint("bulkCount", LeastRole.VIEWER,
                        new Endpoint("POST", PathTemplate.parse(base + "/count"), _ -> BODY, Map.of(), this::count),
                        OperationDoc.of(TAG, "Count the jobs that a bulk operation would change")
                                .details("Changes nothing. Counts at most 100,000 jobs, and looks at 200,000 at most.")
                                .body(Body.of(BulkJson.Asked.class).saying("As of `bulk`."))
                                .answers(BulkJson.Counted.class, "The number of jobs now.")),
                operations.of(OperationSpec.BULK, BODY, this::start,
                        (_, started) -> RecordJson.answer(202, BulkJson.of(started)).withHeader("Location",
                                base + "/" + started.id()),
                        OperationDoc.of(TAG, OperationSpec.BULK)
                                .body(Body.of(BulkJson.Asked.class)
                                        .saying("The action, and the conditions of a search or ids."))
                                .answers(202, BulkJson.class, "It runs.")),
                ApiEndpoint.view("bulkOperation", base + "/{operation}", this::single,
                        OperationDoc.of(TAG, "The progress of a bulk operation")
                                .answers(BulkJson.class, "How far it has come.").refuses(NOT_FOUND)),
                operations.bodiless(OperationSpec.STOP_BULK, call -> BulkControl.stop(id(call)),
                        (_, status) -> RecordJson.answer(202, BulkJson.of(status)),
                        OperationDoc.of(TAG, OperationSpec.STOP_BULK)
                                .answers(202, BulkJson.class, "It stops.")));
    }

    private static String id(Request call) {
        return OperationEndpoints.param(call, "operation");
    }

    private Response all(Request call) {
        QueryParameters.of(call.head());
        return RecordJson.ok(new BulkJson.All(bulk.all().stream().map(BulkJson::of).toList()));
    }

    private Response count(Request call) {
        BulkRequest request = request(call);
        BulkCount count = bulk.count(request);
        return RecordJson
                .ok(new BulkJson.Counted(request.action(), request.words(), count.jobs(), count.atLeast()));
    }

    private Operation<BulkStatus> start(Request call) {
        BulkRequest request = request(call);
        return BulkControl.start(request, bulk.count(request));
    }

    private Response single(Request call) {
        return RecordJson.ok(BulkJson.of(operations.targets().bulk(id(call))));
    }

    private BulkRequest request(Request call) {
        QueryParameters.of(call.head());
        JsonNode json = JsonBody.of(call, BulkJson.Asked.class);
        JobSearch search = SearchEndpoints.read(() -> SearchTerms.read(name -> text(json, name), redaction));
        List<JobId> ids = new ArrayList<>();
        JsonNode listed = json.path("ids");
        if (!listed.isMissingNode() && (!listed.isArray() || listed.isEmpty())) {
            throw JsonBody.bad("The body has ids that are not a list of at least one: leave ids out to use a search");
        }
        try {
            listed.forEach(id -> ids.add(JobId.parse(id.isString() ? id.stringValue() : id.toString())));
            BulkRequest.Action action = BulkRequest.Action.parse(json.path("action").asString(""));
            if (ids.isEmpty() == search.equals(JobSearch.ALL)) {
                throw JsonBody.bad(ids.isEmpty()
                        ? "The body names neither jobs nor a condition: send ids, a queue or another condition"
                        : "The body has ids and a condition: send only one of them");
            }
            return ids.isEmpty() ? BulkRequest.found(action, search) : BulkRequest.named(action, ids);
        } catch (IllegalArgumentException e) {
            throw JsonBody.bad("The body cannot be used: " + e.getMessage());
        }
    }

    private static String text(JsonNode json, String name) {
        JsonNode value = json.path(name);
        if (!value.isMissingNode() && !value.isNull() && !value.isString()) {
            throw JsonBody.bad("The body has a " + name + " that is no string");
        }
        return value.asString("");
    }
}
