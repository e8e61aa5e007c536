package dev.orderly.http.api;

import dev.orderly.http.access.ApiEndpoint;
import dev.orderly.http.access.LeastRole;
import dev.orderly.http.access.OperationEndpoints;
import dev.orderly.http.api.json.JsonBody;
import dev.orderly.http.api.json.JsonText;
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
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Bulk operations on jobs: count, start, progress and stop. */
final class BulkEndpoints {
    private static final BodyLimit BODY = new BodyLimit(1 << 20, new Problem(ProblemType.TOO_LARGE,
            "The body of a bulk operation has more than 1 MiB: name fewer ids, or a search"));
    private static final String[] MEMBERS = Stream
            .concat(SearchTerms.NAMES.stream(), Stream.of("action", "ids")).toArray(String[]::new);

    private final OperationEndpoints operations;
    private final BulkOperations bulk;
    private final Redaction redaction;
    private final String base;

    BulkEndpoints(OperationEndpoints operations, Redaction redaction) {
        this.operations = operations;
        this.redaction = redaction;
        this.bulk = operations.targets().orderly().bulk();
        this.base = operations.base() + "/bulk";
    }

    List<ApiEndpoint> endpoints() {
        return List.of(
                new ApiEndpoint("bulkOperations", LeastRole.VIEWER, Endpoint.bodiless("GET", base, this::all)),
                new ApiEndpoint("bulkCount", LeastRole.VIEWER,
                        new Endpoint("POST", PathTemplate.parse(base + "/count"), _ -> BODY, Map.of(), this::count)),
                operations.of(OperationSpec.BULK, BODY, this::start, (_, started) -> Response
                        .json(202, JsonText.of(json(started))).withHeader("Location", base + "/" + started.id())),
                new ApiEndpoint("bulkOperation", LeastRole.VIEWER,
                        Endpoint.bodiless("GET", base + "/{operation}", this::single)),
                operations.bodiless(OperationSpec.STOP_BULK, call -> BulkControl.stop(id(call)),
                        (_, status) -> Response.json(202, JsonText.of(json(status)))));
    }

    private static String id(Request call) {
        return OperationEndpoints.param(call, "operation");
    }

    private Response all(Request call) {
        QueryParameters.of(call.head());
        ObjectNode json = JsonText.object();
        ArrayNode operations = json.putArray("operations");
        bulk.all().forEach(status -> operations.add(json(status)));
        return Response.json(200, JsonText.of(json));
    }

    private Response count(Request call) {
        BulkRequest request = request(call);
        BulkCount count = bulk.count(request);
        return Response.json(200, JsonText.of(JsonText.object().put("action", request.action().text())
                .put("selection", request.words()).put("jobs", count.jobs()).put("atLeast", count.atLeast())));
    }

    private Operation<BulkStatus> start(Request call) {
        BulkRequest request = request(call);
        return BulkControl.start(request, bulk.count(request));
    }

    private Response single(Request call) {
        return Response.json(200, JsonText.of(json(operations.targets().bulk(id(call)))));
    }

    private BulkRequest request(Request call) {
        QueryParameters.of(call.head());
        JsonNode json = JsonBody.of(call, MEMBERS);
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

    private static ObjectNode json(BulkStatus status) {
        return JsonText.object().put("id", status.id().toString()).put("action", status.request().action().text())
                .put("selection", status.request().words()).put("phase", status.phase().text())
                .put("looked", status.looked()).put("changed", status.changed())
                .put("expected", status.expected().jobs()).put("atLeast", status.expected().atLeast())
                .put("startedAt", status.startedAt().toString())
                .put("endedAt", status.endedAt() == null ? null : status.endedAt().toString())
                .put("failure", status.failure());
    }
}
