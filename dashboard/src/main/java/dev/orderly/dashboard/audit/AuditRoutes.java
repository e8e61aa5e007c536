package dev.orderly.dashboard.audit;

import dev.orderly.access.Role;
import dev.orderly.access.control.AuditLog;
import dev.orderly.access.store.AuditEntry;
import dev.orderly.access.store.AuditQuery;
import dev.orderly.dashboard.exchange.DashboardRequest;
import dev.orderly.dashboard.exchange.DashboardRoute;
import dev.orderly.dashboard.exchange.RefusedFormException;
import dev.orderly.dashboard.page.PageContext;
import dev.orderly.web.message.Response;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The routes of the audit log. */
public final class AuditRoutes {
    private static final int PAGE = 100;
    /** The most entries of a file; older ones are fetched over the API. */
    private static final int EXPORT_MAX = 10_000;

    private final PageContext context;
    private final AuditLog audit;

    public AuditRoutes(PageContext context, AuditLog audit) {
        this.context = context;
        this.audit = audit;
    }

    public List<DashboardRoute> routes() {
        return List.of(new DashboardRoute("GET", "/audit", Role.ADMIN, this::list),
                new DashboardRoute("GET", "/audit/export", Role.ADMIN, this::export));
    }

    private Response list(DashboardRequest request) {
        List<AuditEntry> entries = audit.list(query(request, before(request.query("before")), PAGE));
        return context.page(request, new AuditPage(entries, AuditPage.Filter.of(request),
                entries.size() < PAGE ? null : Long.toString(entries.getLast().id())));
    }

    private Response export(DashboardRequest request) {
        boolean csv = "csv".equals(request.query("format"));
        List<AuditEntry> all = new ArrayList<>();
        Long before = null;
        List<AuditEntry> part;
        do {
            part = audit.list(query(request, before, AuditQuery.LIMIT_MAX));
            all.addAll(part);
            before = part.isEmpty() ? null : Long.valueOf(part.getLast().id());
        } while (part.size() == AuditQuery.LIMIT_MAX && all.size() < EXPORT_MAX);
        byte[] file = (csv ? AuditFile.csv(all) : AuditFile.ndjson(all)).getBytes(StandardCharsets.UTF_8);
        return Response.of(200, csv ? "text/csv; charset=utf-8" : "application/x-ndjson", file)
                .withHeader("Content-Disposition", "attachment; filename=\"audit." + (csv ? "csv" : "ndjson") + "\"")
                .withHeader("X-Content-Type-Options", "nosniff").withHeader("Cache-Control", "no-store");
    }

    private static AuditQuery query(DashboardRequest request, @Nullable Long before, int limit) {
        return new AuditQuery(before, request.query("name"), request.query("operation"), request.query("object"),
                day(request, "since", 0), day(request, "until", 1), limit);
    }

    /** The begin of a day in UTC, so many days later. */
    private static @Nullable Instant day(DashboardRequest request, String name, int later) {
        String text = request.query(name);
        try {
            return text == null
                    ? null
                    : LocalDate.parse(text).plusDays(later).atStartOfDay(ZoneOffset.UTC).toInstant();
        } catch (DateTimeParseException _) {
            throw new RefusedFormException(422, "No day", "\"" + text + "\" is no day: write it as 2026-05-01");
        }
    }

    private static @Nullable Long before(@Nullable String text) {
        try {
            return text == null ? null : Long.valueOf(text);
        } catch (NumberFormatException _) {
            throw new RefusedFormException(422, "No such page",
                    "\"" + text + "\" is the end of no page: begin at the first one");
        }
    }
}
