package dev.orderly.http.api;

import dev.orderly.http.api.json.JsonBody;
import dev.orderly.job.JobId;
import dev.orderly.web.message.QueryParameters;
import dev.orderly.web.message.Request;
import dev.orderly.web.problem.ProblemType;
import dev.orderly.web.problem.Refusal;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * The dead letters to redrive, from the query or from a JSON body.
 *
 * @param ids empty for all dead letters of the queue
 * @param limit the maximum number of redriven jobs
 */
record RedriveRequest(List<JobId> ids, int limit) {
    static final int LIMIT_MAX = 10_000;

    RedriveRequest {
        ids = List.copyOf(ids);
    }

    /** @throws Refusal if it is not valid */
    static RedriveRequest of(Request call) {
        QueryParameters query = QueryParameters.of(call.head(), "ids", "limit");
        int limit = query.number("limit", 1, LIMIT_MAX, LIMIT_MAX);
        String ids = query.text("ids");
        if (call.body().length == 0) {
            return new RedriveRequest(ids == null ? List.of() : ids(List.of(ids.split(",", -1))), limit);
        }
        if (call.head().query() != null) {
            throw bad("has a body and a query: use only one of them");
        }
        return ofBody(call.body());
    }

    private static RedriveRequest ofBody(byte[] body) {
        JsonNode json = JsonBody.object("The redrive", body, "ids", "limit");
        JsonNode limit = json.path("limit");
        if (!limit.isMissingNode() && !(limit.isInt() && limit.intValue() >= 1 && limit.intValue() <= LIMIT_MAX)) {
            throw bad("has a limit that is not a whole number from 1 to " + LIMIT_MAX);
        }
        JsonNode listed = json.path("ids");
        if (!listed.isMissingNode() && (!listed.isArray() || listed.isEmpty())) {
            throw bad("has ids that are not a list of at least one: leave ids out to redrive all");
        }
        List<String> ids = new ArrayList<>();
        for (JsonNode id : listed) {
            ids.add(id.isString() ? id.stringValue() : id.toString());
        }
        return new RedriveRequest(ids(ids), limit.isMissingNode() ? LIMIT_MAX : limit.intValue());
    }

    private static List<JobId> ids(List<String> texts) {
        try {
            return texts.stream().map(JobId::parse).toList();
        } catch (IllegalArgumentException e) {
            throw bad("has an invalid id: " + e.getMessage());
        }
    }

    private static Refusal bad(String what) {
        return new Refusal(ProblemType.BAD_REQUEST, "The redrive " + what);
    }
}
