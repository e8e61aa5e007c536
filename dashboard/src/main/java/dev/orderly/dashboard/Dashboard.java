package dev.orderly.dashboard;

import dev.orderly.Orderly;
import dev.orderly.ProgramVersion;
import dev.orderly.about.ServerFacts;
import dev.orderly.access.Role;
import dev.orderly.access.control.AuditLog;
import dev.orderly.dashboard.audit.AuditRoutes;
import dev.orderly.dashboard.batch.BatchRoutes;
import dev.orderly.dashboard.chart.HistoryRoutes;
import dev.orderly.dashboard.chart.Trends;
import dev.orderly.dashboard.exchange.DashboardRequest;
import dev.orderly.dashboard.exchange.DashboardRoute;
import dev.orderly.dashboard.exchange.RefusedFormException;
import dev.orderly.dashboard.job.JobRoutes;
import dev.orderly.dashboard.live.LiveRoutes;
import dev.orderly.dashboard.node.NodeRoutes;
import dev.orderly.dashboard.overview.OverviewRoutes;
import dev.orderly.dashboard.page.Assets;
import dev.orderly.dashboard.page.Layout;
import dev.orderly.dashboard.page.PageContext;
import dev.orderly.dashboard.page.ProblemPage;
import dev.orderly.dashboard.page.StoreState;
import dev.orderly.dashboard.queue.KeyRoutes;
import dev.orderly.dashboard.queue.LimitRoutes;
import dev.orderly.dashboard.queue.QueueRoutes;
import dev.orderly.dashboard.queue.QueueSettingsRoutes;
import dev.orderly.dashboard.room.RoomRoutes;
import dev.orderly.dashboard.room.WaitingPreviews;
import dev.orderly.dashboard.schedule.ScheduleRoutes;
import dev.orderly.dashboard.search.BulkRoutes;
import dev.orderly.dashboard.search.SearchRoutes;
import dev.orderly.dashboard.server.ServerRoutes;
import dev.orderly.dashboard.update.PageUpdates;
import dev.orderly.job.present.JobPresentation;
import dev.orderly.job.present.Redaction;
import dev.orderly.operate.Caller;
import dev.orderly.operate.OperationRefusedException;
import dev.orderly.operate.Operations;
import dev.orderly.operate.Targets;
import dev.orderly.room.gate.RoomEngine;
import dev.orderly.room.gate.Rooms;
import dev.orderly.store.StoreException;
import dev.orderly.time.Time;
import dev.orderly.web.message.FormFields;
import dev.orderly.web.message.RequestHead;
import dev.orderly.web.message.Response;
import dev.orderly.web.path.PathTemplate;
import dev.orderly.web.problem.Problem;
import dev.orderly.web.problem.ProblemException;
import dev.orderly.web.problem.ProblemType;
import dev.orderly.web.route.Endpoint.BodyLimit;
import dev.orderly.web.route.RequestRouter.Match;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The pages for operators, under one path of a server that identifies their viewers and checks the tokens of their
 * changes. Thread-safe.
 *
 * <p>Every page has an address that can be shared, and can be read without script. A viewer sees no control that the
 * viewer's role does not allow, and the action behind it refuses such a viewer.
 */
public final class Dashboard implements AutoCloseable {
    /** The path of the stream of updates, below the base. */
    public static final String UPDATES = "/events";
    /** Of a form: the largest payload, percent-encoded. */
    public static final BodyLimit FORM = new BodyLimit(4 << 20, new Problem(ProblemType.TOO_LARGE,
            "The form has more than 4 MiB: send less"));

    private final List<DashboardRoute> routes;
    private final Operations operations;
    private final PageContext context;
    private final PageUpdates updates;

    /** What the dashboard shows. */
    public record Sources(Orderly orderly, Rooms rooms, AuditLog audit, ServerSide server) {
        public Sources {
            Objects.requireNonNull(audit, "audit");
            Objects.requireNonNull(orderly, "orderly");
            Objects.requireNonNull(rooms, "rooms");
            Objects.requireNonNull(server, "server");
        }

        /** Without a server around it. */
        public Sources(Orderly orderly, Rooms rooms, AuditLog audit) {
            this(orderly, rooms, audit, ServerSide.NONE);
        }

        /** The same with previews of waiting pages. */
        public Sources withPreviews(WaitingPreviews previews) {
            Objects.requireNonNull(previews, "previews");
            return new Sources(orderly, rooms, audit,
                    new ServerSide(server.facts(), server.faults(), previews, server.presentation()));
        }
    }

    /**
     * What only the server around the dashboard knows.
     *
     * @param facts what the server tells about itself
     * @param faults present faults of certificates, as sentences; must not block
     * @param previews waiting pages of the rooms
     * @param presentation what jobs show
     */
    public record ServerSide(ServerFacts facts, Supplier<List<String>> faults, WaitingPreviews previews,
            JobPresentation presentation) {
        /** No facts, faults, previews and masks. */
        public static final ServerSide NONE = new ServerSide(ServerFacts.NONE, List::of, WaitingPreviews.NONE,
                JobPresentation.PLAIN);

        public ServerSide {
            Objects.requireNonNull(facts, "facts");
            Objects.requireNonNull(faults, "faults");
            Objects.requireNonNull(presentation, "presentation");
            Objects.requireNonNull(previews, "previews");
        }
    }

    /**
     * The place of the dashboard in its server.
     *
     * @param base path under which the dashboard is mounted, without a slash at its end; empty for the root
     * @param signOut path on which a viewer's session ends; null without one
     */
    public record Mount(String base, @Nullable String signOut) {
        public Mount {
            Objects.requireNonNull(base, "base");
        }
    }

    public Dashboard(Mount mount, Sources sources, Time time) {
        Assets assets = new Assets();
        Targets targets = new Targets(sources.orderly(), RoomEngine.of(sources.rooms()));
        this.operations = new Operations(targets, sources.audit());
        this.context = new PageContext(mount.base(),
                new Layout.Frame(ProgramVersion.current(), mount.signOut(), assets), operations, time,
                new StoreState(sources.orderly().stores()));
        List<DashboardRoute> all = new ArrayList<>();
        Redaction redaction = sources.server().presentation().redaction();
        Trends trends = new Trends(sources.orderly().engines().history(), context.store(), time);
        all.addAll(new OverviewRoutes(context, sources.orderly(), RoomEngine.of(sources.rooms()),
                sources.server().faults(), trends)
                .routes());
        all.addAll(new QueueRoutes(context, targets, trends).routes());
        all.addAll(new SearchRoutes(context, sources.orderly().engines().jobs(), sources.orderly().engines().finder(),
                redaction).routes());
        all.addAll(new BulkRoutes(context, targets, redaction).routes());
        all.addAll(new JobRoutes(context, targets, sources.server().presentation()).routes());
        all.addAll(new BatchRoutes(context, targets).routes());
        all.addAll(new QueueSettingsRoutes(context, targets).routes());
        all.addAll(new LimitRoutes(context).routes());
        all.addAll(new KeyRoutes(context).routes());
        all.addAll(new ScheduleRoutes(context, targets).routes());
        all.addAll(new NodeRoutes(context, sources.orderly()).routes());
        all.addAll(new LiveRoutes(context, sources.orderly()).routes());
        all.addAll(new AuditRoutes(context, sources.audit()).routes());
        all.addAll(new ServerRoutes(context, sources.server().facts()).routes());
        all.addAll(new RoomRoutes(context, targets, sources.server().previews(), trends,
                sources.orderly().engines().history(),
                sources.audit()).routes());
        all.addAll(new HistoryRoutes(context, sources.orderly().engines().history()).routes());
        all.add(new DashboardRoute("GET", "/assets/{hash}/{name}", Role.VIEWER,
                request -> assets.answer(request.param("hash"), request.param("name"))));
        this.routes = List.copyOf(all);
        this.updates = new PageUpdates(time, this::html, this::frame);
    }

    /** All pages and actions, for servers that route by themselves. */
    public List<DashboardRoute> routes() {
        return routes;
    }

    /**
     * Answers a request. Blocks on the store. Throws a {@link ProblemException} of a path that is not percent-encoded
     * UTF-8.
     */
    public Response answer(DashboardRequest request) {
        boolean action = !request.method().equals("GET");
        try {
            Response response = served(request);
            if (action) {
                updates.ring();
            }
            return response;
        } catch (RefusedFormException e) {
            return refusal(request, e);
        } catch (OperationRefusedException e) {
            return refusal(request, new RefusedFormException(e));
        } catch (StoreException e) {
            return refusal(request, new RefusedFormException(503, "The store does not answer", e.getMessage()
                    + ". Nothing was changed unless the audit log says so; try again"));
        }
    }

    /**
     * The answer to a request that the server refused before the dashboard saw it.
     *
     * @param fragment whether a page's script asked, which shows a notice
     */
    public Response refusal(Problem problem, boolean fragment) {
        RefusedFormException refused = new RefusedFormException(problem.type().status(), problem.type().title(),
                problem.detail());
        return (fragment ? context.refused(refused) : context.unframed(refused)).withHeaders(problem.headers());
    }

    private Response refusal(DashboardRequest request, RefusedFormException refused) {
        return !request.method().equals("GET")
                ? context.refused(refused)
                : context.page(refused.status(), request, new ProblemPage(refused.title(), refused.getMessage()));
    }

    private Response served(DashboardRequest request) {
        List<String> path = PathTemplate.split(request.path());
        for (DashboardRoute route : routes) {
            Optional<Map<String, String>> params = route.method().equals(request.method())
                    ? route.path().match(path)
                    : Optional.empty();
            if (params.isPresent()) {
                if (!request.viewer().may(route.least())) {
                    if (!route.method().equals("GET")) {
                        throw operations.refused(request.viewer().at(request.path()), route.id(), route.least(),
                                request.path());
                    }
                    throw new RefusedFormException(403, "Not for your role",
                            "This needs the role " + route.least().text()
                                    + ", and " + request.viewer().identity() + " has the role "
                                    + request.viewer().identity().role().text() + ": sign in with such a token");
                }
                return route.answer().to(request.withParams(params.get()));
            }
        }
        throw RefusedFormException.unknown("The page " + request.path(),
                "check the address, or go on from the overview");
    }

    private String html(DashboardRequest request) {
        Response response = served(request);
        return new String(response.body(), StandardCharsets.UTF_8);
    }

    /** A page without content, for what its frame says while the content cannot be made. */
    private String frame(DashboardRequest request) {
        return new String(context.page(request, new ProblemPage("", "")).body(), StandardCharsets.UTF_8);
    }

    /**
     * The stream of updates of the page that the query names. Never blocks.
     *
     * @throws ProblemException if the query names no page; the stream refuses when too many pages are open already
     */
    public Match updates(RequestHead head, Caller viewer) {
        Objects.requireNonNull(viewer, "viewer");
        List<String> pages = FormFields.ofQuery(head.query()).getOrDefault("page", List.of());
        if (pages.size() != 1 || !pages.getFirst().startsWith("/")) {
            throw new ProblemException(ProblemType.BAD_REQUEST,
                    "The query parameter page names no page: send its path");
        }
        DashboardRequest page = DashboardRequest.ofPage(pages.getFirst(), viewer);
        return new Match.Opened(List.of(), stream -> stream.onClose(updates.watch(page, stream)
                .orElseThrow(() -> new ProblemException(ProblemType.TOO_MANY_STREAMS,
                        "Too many live pages of the dashboard are"
                                + " open on this node: close one; a page connects again by itself"))));
    }

    /** Ends the updates of all pages. Idempotent. */
    @Override
    public void close() {
        updates.close();
    }
}
