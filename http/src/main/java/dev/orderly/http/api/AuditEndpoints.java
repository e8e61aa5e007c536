package dev.orderly.http.api;

import dev.orderly.access.control.AuditLog;
import dev.orderly.access.store.AuditEntry;
import dev.orderly.access.store.AuditQuery;
import dev.orderly.http.access.ApiCall;
import dev.orderly.http.access.ApiEndpoint;
import dev.orderly.http.access.LeastRole;
import dev.orderly.http.openapi.OperationDoc;
import dev.orderly.http.openapi.Parameter;
import dev.orderly.http.openapi.RecordJson;
import dev.orderly.web.message.QueryParameters;
import dev.orderly.web.message.Request;
import dev.orderly.web.message.Response;
import dev.orderly.web.route.Endpoint;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The audit log, and the identity of the caller. */
final class AuditEndpoints {
    private static final int PAGE = 50;
    private static final String TAG = "access";

    private final AuditLog log;
    private final String base;

    AuditEndpoints(AuditLog log, String base) {
        this.log = log;
        this.base = base;
    }

    List<ApiEndpoint> endpoints() {
        return List.of(
                new ApiEndpoint("audit", LeastRole.ADMIN, Endpoint.bodiless("GET", base + "/audit", this::list),
                        OperationDoc.of(TAG, "The audit log, the newest entries first")
                                .takes(Parameter.query("name", "Entries of this identity."),
                                        Parameter.query("operation", "Entries of this operation."),
                                        Parameter.query("object", "Entries of this object, such as `queue mails`."),
                                        Parameter.query("since", Instant.class, "Entries from this instant on."),
                                        Parameter.query("until", Instant.class, "Entries before this instant."),
                                        Parameter.query("before",
                                                "The next page: the value of `next` in the previous one."),
                                        Parameter.query("limit", Integer.class, "Most entries, 50 if absent.")
                                                .with("minimum: 1, maximum: " + AuditQuery.LIMIT_MAX))
                                .answers(AuditJson.class, "A page of entries.")),
                new ApiEndpoint("identity", LeastRole.VIEWER.orWorker(),
                        Endpoint.bodiless("GET", base + "/identity", AuditEndpoints::identity),
                        OperationDoc.of(TAG, "The identity and role of the caller")
                                .answers(AuditJson.Who.class, "The caller.")));
    }

    private Response list(Request call) {
        QueryParameters query = QueryParameters.of(call.head(), "name", "operation", "object", "since", "until",
                "before", "limit");
        int limit = query.number("limit", 1, AuditQuery.LIMIT_MAX, PAGE);
        List<AuditEntry> found = log.list(new AuditQuery(before(query.text("before")), query.text("name"),
                query.text("operation"), query.text("object"), query.moment("since"), query.moment("until"), limit));
        return RecordJson.ok(new AuditJson(found.stream().map(AuditJson.Entry::of).toList(),
                found.size() < limit ? null : Long.toString(found.getLast().id())));
    }

    private static Response identity(Request call) {
        QueryParameters.of(call.head());
        return RecordJson.ok(AuditJson.Who.of(ApiCall.current().caller()));
    }

    private static @Nullable Long before(@Nullable String text) {
        try {
            return text == null ? null : Long.valueOf(text);
        } catch (NumberFormatException _) {
            throw QueryParameters.bad("before", String.valueOf(text), "use the value of next in the previous page");
        }
    }
}
