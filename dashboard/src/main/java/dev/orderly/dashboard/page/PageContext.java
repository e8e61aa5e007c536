package dev.orderly.dashboard.page;

import dev.orderly.access.Identity;
import dev.orderly.access.Role;
import dev.orderly.access.control.AuditLog;
import dev.orderly.access.store.AuditAct;
import dev.orderly.access.store.AuditEntry;
import dev.orderly.access.store.AuditQuery;
import dev.orderly.dashboard.exchange.DashboardRequest;
import dev.orderly.dashboard.exchange.DashboardResponse;
import dev.orderly.dashboard.exchange.Refused;
import dev.orderly.dashboard.exchange.Viewer;
import dev.orderly.time.Time;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What the routes of all sections use: their pages, their changes, and the notices about them. Thread-safe. */
public final class PageContext {
    private final String base;
    private final Layout.Frame frame;
    private final AuditLog audit;
    private final Time time;
    private final StoreState store;
    private final Templates templates = new Templates();

    /**
     * @param base path under which the dashboard is mounted, without a slash at its end; empty for the root
     * @param time wall clock of the pages
     * @param store what each page says of the store
     */
    public PageContext(String base, Layout.Frame frame, AuditLog audit, Time time, StoreState store) {
        this.store = store;
        this.base = base;
        this.frame = frame;
        this.audit = audit;
        this.time = time;
    }

    /** The moment of the figures of a page that is made now. */
    public Time time() {
        return time;
    }

    /** What is known of the store. */
    public StoreState store() {
        return store;
    }

    /** A whole page. */
    public DashboardResponse page(DashboardRequest request, Page page) {
        return templates.page(200, page, layout(request));
    }

    /** A page with another status, such as that of a refusal. */
    public DashboardResponse page(int status, DashboardRequest request, Page page) {
        return templates.page(status, page, layout(request));
    }

    private Layout layout(DashboardRequest request) {
        return new Layout(base, request.path(), request.viewer(), frame, time.now(), store.outages());
    }

    /** The answer to an action that was done: its notice. The page that sent it is up to date within a second. */
    public DashboardResponse done(Notice notice) {
        return DashboardResponse.html(200, templates.notice(notice, base)).withHeader("HX-Trigger", "orderly-changed");
    }

    /** The answer to an action that shows a part of a page. Not kept by browsers. */
    public DashboardResponse fragment(DashboardRequest request, Page part) {
        return DashboardResponse.html(200, templates.html(part, layout(request))).withHeader("Cache-Control",
                "no-store");
    }

    /** The answer to an action after which another page is shown. */
    public DashboardResponse to(String path) {
        return DashboardResponse.html(200, "").withHeader("HX-Redirect", base + path);
    }

    /** The answer to an action that was refused. */
    public DashboardResponse refused(Refused refused) {
        Notice notice = Notice.refused(refused.title(), refused.getMessage());
        return DashboardResponse.html(refused.status(), templates.notice(notice, base));
    }

    /** The page of a refused request whose viewer is not known. */
    public DashboardResponse unframed(Refused refused) {
        Viewer nobody = new Viewer(new Identity(Identity.Kind.LOCAL, "", Role.WORKER), "", null);
        return templates.page(refused.status(), new ProblemPage(refused.title(), refused.getMessage()),
                new Layout(base, "", nobody, frame, time.now(), store.outages()));
    }

    /**
     * Makes a change with an entry in the audit log, which names the route as the place where it was made. Blocks.
     *
     * @param operation of the API that changes the same
     * @param object the changed thing, such as {@code queue emails}
     * @param before the state before, without payloads and secrets; null if there was none
     * @param after describes the state after the change
     */
    public <T> T change(DashboardRequest request, String operation, String object, @Nullable String before,
            Supplier<T> change, Function<T, @Nullable String> after) {
        Identity who = request.viewer().identity();
        return audit.record(new AuditAct(audit.now(), who.kind(), who.name(), request.viewer().address() + " "
                + request.path(), operation, object, before), change, after);
    }

    /**
     * Checks that a thing is still in the state in which the form showed it: its field {@code seen}.
     *
     * @param now the state now, in words
     * @throws Refused 409 with the last change of the thing
     */
    public void checkSeen(DashboardRequest request, String object, String now) {
        String seen = request.field("seen");
        if (seen != null && !seen.equals(now)) {
            throw Refused.stale("You saw \"" + seen + "\", and now it is \"" + now + "\"" + lastChange(object)
                    + ". Look at it again, then decide.");
        }
    }

    private String lastChange(String object) {
        return store.fromJobs(() -> audit.list(new AuditQuery(null, null, null, object, null, null, 1))).stream()
                .flatMap(List::stream)
                .filter(entry -> entry.outcome() == AuditEntry.Outcome.DONE).findFirst()
                .map(entry -> ": " + entry.act().name() + " made the last change (" + entry.act().operation() + ") "
                        + Figures.between(entry.act().at(), time.now()) + " ago")
                .orElse("");
    }
}
