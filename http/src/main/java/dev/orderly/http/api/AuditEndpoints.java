package dev.orderly.http.api;

import dev.orderly.access.Identity;
import dev.orderly.access.control.AuditLog;
import dev.orderly.access.store.AuditAct;
import dev.orderly.access.store.AuditEntry;
import dev.orderly.access.store.AuditQuery;
import dev.orderly.http.access.ApiCall;
import dev.orderly.http.access.ApiEndpoint;
import dev.orderly.http.access.LeastRole;
import dev.orderly.http.api.json.JsonText;
import dev.orderly.operate.Caller;
import dev.orderly.web.message.QueryParameters;
import dev.orderly.web.message.Request;
import dev.orderly.web.message.Response;
import dev.orderly.web.route.Endpoint;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The audit log, and the identity of the caller. */
final class AuditEndpoints {
    private static final int PAGE = 50;

    private final AuditLog log;
    private final String base;

    AuditEndpoints(AuditLog log, String base) {
        this.log = log;
        this.base = base;
    }

    List<ApiEndpoint> endpoints() {
        return List.of(
                new ApiEndpoint("audit", LeastRole.ADMIN, Endpoint.bodiless("GET", base + "/audit", this::list)),
                new ApiEndpoint("identity", LeastRole.VIEWER.orWorker(), Endpoint.bodiless("GET", base + "/identity",
                        AuditEndpoints::identity)));
    }

    private Response list(Request call) {
        QueryParameters query = QueryParameters.of(call.head(), "name", "operation", "object", "since", "until",
                "before", "limit");
        int limit = query.number("limit", 1, AuditQuery.LIMIT_MAX, PAGE);
        List<AuditEntry> found = log.list(new AuditQuery(before(query.text("before")), query.text("name"),
                query.text("operation"), query.text("object"), moment(query, "since"), moment(query, "until"), limit));
        ObjectNode json = JsonText.object();
        ArrayNode entries = json.putArray("entries");
        found.forEach(entry -> entries.add(json(entry)));
        json.put("next", found.size() < limit ? null : Long.toString(found.getLast().id()));
        return Response.json(200, JsonText.of(json));
    }

    private static Response identity(Request call) {
        QueryParameters.of(call.head());
        Caller caller = ApiCall.current().caller();
        Identity who = caller.identity();
        ObjectNode json = JsonText.object().put("kind", who.kind().text()).put("name", who.name())
                .put("role", who.role().text());
        ArrayNode queues = json.putArray("queues");
        who.queues().stream().sorted().forEach(queue -> queues.add(queue.value()));
        return Response.json(200, JsonText.of(json.put("csrf", caller.csrf())));
    }

    private static ObjectNode json(AuditEntry entry) {
        AuditAct act = entry.act();
        return JsonText.object().put("id", Long.toString(entry.id())).put("at", act.at().toString())
                .put("kind", act.kind().text()).put("name", act.name()).put("address", act.address())
                .put("operation", act.operation()).put("object", act.object()).put("before", act.before())
                .put("after", entry.after()).put("outcome", entry.outcome().text());
    }

    private static @Nullable Long before(@Nullable String text) {
        try {
            return text == null ? null : Long.valueOf(text);
        } catch (NumberFormatException _) {
            throw QueryParameters.bad("before", String.valueOf(text), "use the value of next in the previous page");
        }
    }

    private static @Nullable Instant moment(QueryParameters query, String name) {
        String text = query.text(name);
        try {
            return text == null ? null : Instant.parse(text);
        } catch (DateTimeParseException _) {
            throw QueryParameters.bad(name, String.valueOf(text), "use an instant such as 2026-05-01T00:00:00Z");
        }
    }
}
