package dev.orderly.servlet.dashboard;

import dev.orderly.dashboard.Dashboard;
import dev.orderly.servlet.exchange.ServletTransport;
import dev.orderly.servlet.exchange.StreamingPart;
import dev.orderly.time.Time;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The dashboard under a path of an application. Who may see it is decided by the security of the application in front,
 * and by {@link DashboardAccess}, without which nobody may. Needs asynchronous support.
 */
@SuppressWarnings("serial") // containers do not serialize servlets
public final class DashboardServlet extends HttpServlet implements StreamingPart {
    private static final int WAITS = 8;

    private final String path;
    private final Dashboard.Sources sources;
    private final DashboardAccess access;
    private final Time time;
    private transient volatile @Nullable Running running;

    private record Running(Dashboard dashboard, ServletTransport transport) {}

    /**
     * @param path of the servlet below the context path, such as {@code /internal/orderly}; it is to be mapped to this
     *     path with {@code /*} at its end
     * @param sources what it shows; they belong to the caller
     * @throws IllegalArgumentException if the path does not begin with a slash, or ends with one
     */
    public DashboardServlet(String path, Dashboard.Sources sources, DashboardAccess access, Time time) {
        Objects.requireNonNull(access, "access");
        Objects.requireNonNull(sources, "sources");
        Objects.requireNonNull(time, "time");
        if (!path.startsWith("/") || path.endsWith("/") || path.contains("*")) {
            throw new IllegalArgumentException("The path of the dashboard is \"" + path
                    + "\": begin it with a slash, and end it without one, such as /internal/orderly");
        }
        this.path = path;
        this.sources = sources;
        this.access = access;
        this.time = time;
    }

    @Override
    public void init() {
        String base = getServletContext().getContextPath() + path;
        Dashboard dashboard = new Dashboard(new Dashboard.Mount(base, null), sources, time);
        running = new Running(dashboard, new ServletTransport(WAITS, time));
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        Running now = running;
        if (now == null) {
            throw new IllegalStateException("The dashboard was not initialised by a container");
        }
        String base = request.getContextPath() + path;
        if (request.getRequestURI().equals(base)) {
            response.setStatus(HttpServletResponse.SC_PERMANENT_REDIRECT);
            response.setHeader("Location", getServletContext().getContextPath() + path + "/");
            return;
        }
        CsrfCookie csrf = CsrfCookie.of(request).orElseGet(() -> {
            CsrfCookie fresh = CsrfCookie.random();
            response.addHeader("Set-Cookie", fresh.header(request));
            return fresh;
        });
        DashboardCaller caller = new DashboardCaller(access.role().apply(request).orElse(null),
                access.name().apply(request), request.getRemoteAddr(), csrf);
        DashboardRouter router = new DashboardRouter(now.dashboard(), path, caller);
        now.transport().serve(router, request, response, (_, _, _) -> {
            throw new IllegalStateException("The dashboard answers all its requests itself");
        });
    }

    @Override
    public void endStreams() {
        Running now = running;
        if (now != null) {
            now.transport().endStreams();
        }
    }

    @Override
    public void destroy() {
        Running last = running;
        running = null;
        if (last != null) {
            last.transport().close();
            last.dashboard().close();
        }
    }
}
