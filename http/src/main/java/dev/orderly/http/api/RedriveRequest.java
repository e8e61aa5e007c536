package dev.orderly.http.api;

import dev.orderly.http.api.json.JsonBody;
import dev.orderly.http.openapi.Doc;
import dev.orderly.http.openapi.OmitNull;
import dev.orderly.http.openapi.Parameter;
import dev.orderly.job.JobId;
import dev.orderly.operate.Operation;
import dev.orderly.operate.QueueControl;
import dev.orderly.web.message.QueryParameters;
import dev.orderly.web.message.Request;
import dev.orderly.web.problem.ProblemException;
import dev.orderly.web.problem.ProblemType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The dead letters to redrive, from the query or from a JSON body.
 *
 * @param ids the dead letters; null for all of the queue, which a request says by {@code all}
 * @param limit the maximum number of redriven jobs
 */
record RedriveRequest(@Nullable List<JobId> ids, int limit) {
    static final int LIMIT_MAX = 10_000;
    static final Parameter[] PARAMETERS = {
            Parameter.query("ids", "Ids of dead letters, separated by commas, instead of `all`."),
            Parameter.query("all", Object.class, Members.ALL).with("const: true"),
            Parameter.query("limit", Integer.class, "The largest number of jobs to redrive.")
                    .with(Members.LIMIT + ", default: " + LIMIT_MAX)};

    /** The members of a body. */
    @Doc(name = "RedriveRequest")
    record Members(
            @Doc("The dead letters, instead of `all`; an empty list redrives"
                    + " none.") @OmitNull @Nullable List<JobId> ids,
            @Doc(value = ALL, facets = "const: true") @OmitNull @Nullable Boolean all,
            @Doc(facets = LIMIT) @OmitNull @Nullable Integer limit) {
        private static final String ALL = "All dead letters of the queue, instead of `ids`; one of both is required.";
        private static final String LIMIT = "minimum: 1, maximum: " + LIMIT_MAX;
    }

    static Operation<Integer> read(Request call) {
        RedriveRequest request = of(call);
        return QueueControl.redrive(call.head().param("queue"), request.ids, request.limit);
    }

    /** @throws ProblemException if it is not valid */
    static RedriveRequest of(Request call) {
        QueryParameters query = QueryParameters.of(call.head(), "ids", "all", "limit");
        int limit = query.number("limit", 1, LIMIT_MAX, LIMIT_MAX);
        if (call.body().length == 0) {
            String ids = query.text("ids");
            String all = query.text("all");
            if (all != null && !all.equals("true")) {
                throw bad("has all=" + all + ": use all=true, or leave it out");
            }
            return of(ids == null ? null : List.of(ids.split(",", -1)), all != null, limit);
        }
        if (call.head().query() != null) {
            throw bad("has a body and a query: use only one of them");
        }
        return ofBody(call.body());
    }

    private static RedriveRequest ofBody(byte[] body) {
        JsonNode json = JsonBody.object("The redrive", body, Members.class);
        JsonNode limit = json.path("limit");
        if (!limit.isMissingNode() && !(limit.isInt() && limit.intValue() >= 1 && limit.intValue() <= LIMIT_MAX)) {
            throw bad("has a limit that is not a whole number from 1 to " + LIMIT_MAX);
        }
        JsonNode all = json.path("all");
        if (!all.isMissingNode() && !(all.isBoolean() && all.booleanValue())) {
            throw bad("has an all that is not true: leave it out to name ids");
        }
        JsonNode listed = json.path("ids");
        if (!listed.isMissingNode() && !listed.isArray()) {
            throw bad("has ids that are not a list");
        }
        List<String> ids = new ArrayList<>();
        for (JsonNode id : listed) {
            ids.add(id.isString() ? id.stringValue() : id.toString());
        }
        return of(listed.isMissingNode() ? null : ids, !all.isMissingNode(),
                limit.isMissingNode() ? LIMIT_MAX : limit.intValue());
    }

    private static RedriveRequest of(@Nullable List<String> ids, boolean all, int limit) {
        if (all == (ids != null)) {
            throw bad(all
                    ? "has ids and all: use only one of them"
                    : "names no dead letter: send ids, or all=true for all of the queue");
        }
        return new RedriveRequest(ids == null ? null : ids(ids), limit);
    }

    private static List<JobId> ids(List<String> texts) {
        try {
            return texts.stream().map(JobId::parse).toList();
        } catch (IllegalArgumentException e) {
            throw bad("has an invalid id: " + e.getMessage());
        }
    }

    private static ProblemException bad(String what) {
        return new ProblemException(ProblemType.BAD_REQUEST, "The redrive " + what);
    }
}
