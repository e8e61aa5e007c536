package dev.orderly.dashboard.page;

import dev.orderly.access.Identity;
import dev.orderly.access.Role;
import dev.orderly.dashboard.exchange.DashboardRequest;
import dev.orderly.dashboard.exchange.RefusedFormException;
import dev.orderly.operate.Caller;
import dev.orderly.operate.Operation;
import dev.orderly.operate.Operations;
import dev.orderly.time.Time;
import dev.orderly.web.message.Response;

/** What the routes of all sections use: their pages, their changes, and the notices about them. Thread-safe. */
public final class PageContext {
    private final String base;
    private final Layout.Frame frame;
    private final Operations operations;
    private final Time time;
    private final StoreState store;
    private final Templates templates = new Templates();

    /**
     * @param base path under which the dashboard is mounted, without a slash at its end; empty for the root
     * @param time wall clock of the pages
     * @param store what each page says of the store
     */
    public PageContext(String base, Layout.Frame frame, Operations operations, Time time, StoreState store) {
        this.store = store;
        this.base = base;
        this.frame = frame;
        this.operations = operations;
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
    public Response page(DashboardRequest request, Page page) {
        return templates.page(200, page, layout(request));
    }

    /** A page with another status, such as that of a refusal. */
    public Response page(int status, DashboardRequest request, Page page) {
        return templates.page(status, page, layout(request));
    }

    private Layout layout(DashboardRequest request) {
        return new Layout(base, request.path(), request.viewer(), frame, time.now(), store.outages());
    }

    /** The answer to an action that was done: its notice. The page that sent it is up to date within a second. */
    public Response done(Notice notice) {
        return Response.html(200, templates.notice(notice, base)).withHeader("HX-Trigger", "orderly-changed");
    }

    /** The answer to an action that shows a part of a page. Not kept by browsers. */
    public Response fragment(DashboardRequest request, Page part) {
        return Response.html(200, templates.html(part, layout(request))).withHeader("Cache-Control",
                "no-store");
    }

    /** The answer to an action after which another page is shown. */
    public Response to(String path) {
        return Response.html(200, "").withHeader("HX-Redirect", base + path);
    }

    /** The answer to an action that was refused. */
    public Response refused(RefusedFormException refused) {
        Notice notice = Notice.refused(refused.title(), refused.getMessage());
        return Response.html(refused.status(), templates.notice(notice, base));
    }

    /** The page of a refused request whose viewer is not known. */
    public Response unframed(RefusedFormException refused) {
        Caller nobody = new Caller(new Identity(Identity.Kind.LOCAL, "", Role.WORKER), "", null);
        return templates.page(refused.status(), new ProblemPage(refused.title(), refused.getMessage()),
                new Layout(base, "", nobody, frame, time.now(), store.outages()));
    }

    /** Runs an operation on what the form showed: its field {@code seen}. As {@link Operations#run}. */
    public <T> T run(DashboardRequest request, Operation<T> operation) {
        return operations.run(request.viewer().at(request.path()), operation, request.field("seen"));
    }
}
