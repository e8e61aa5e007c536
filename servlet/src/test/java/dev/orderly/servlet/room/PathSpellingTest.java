package dev.orderly.servlet.room;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.servlet.Container;
import dev.orderly.servlet.RoomApp;
import dev.orderly.web.browser.Guest;
import dev.orderly.web.path.PathSpellings;
import dev.orderly.web.path.RawConnection;
import dev.orderly.web.room.RoomMatch;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.web.HttpRequestHandler;
import org.springframework.web.context.support.StaticWebApplicationContext;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.handler.SimpleUrlHandlerMapping;

/**
 * Rooms in front of an application that reads paths in several ways: by the mappings of the container, by those of
 * Spring MVC, and anew in includes, forwards and asynchronous dispatches to its own path.
 */
class PathSpellingTest {
    private static final RoomMatch ROOMS = RoomMatch.of("/tickets/**", "/events/*/buy", "/search");
    private static final String PICTURE = "Sec-Fetch-Dest: image\r\n"; // takes no place in line
    private static final String AGAIN = "Again";

    /** What a request without a ticket reached of the rooms. */
    private final Queue<String> breaches = new ConcurrentLinkedQueue<>();
    private final Queue<String> open = new ConcurrentLinkedQueue<>();

    /** A resource of a room. */
    @SuppressWarnings("serial") // not serialized
    private final class Protected extends HttpServlet {
        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            breach(request, "container");
            response.getWriter().write("protected");
        }
    }

    /** A resource of no room. */
    @SuppressWarnings("serial") // not serialized
    private static final class Open extends HttpServlet {
        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getWriter().write("open");
        }
    }

    private void breach(HttpServletRequest request, String reader) {
        if (RoomVisit.of(request).isEmpty()) {
            breaches.add(reader + " " + request.getDispatcherType() + " " + request.getRequestURI());
        }
    }

    /** Spring MVC with resources of the rooms, and with an open page that dispatches to its own path. */
    private DispatcherServlet spring() {
        Map<String, Object> handlers = new LinkedHashMap<>();
        HttpRequestHandler resource = (request, response) -> {
            breach(request, "Spring");
            response.getWriter().write("protected");
        };
        handlers.put("/tickets/{*rest}", resource);
        handlers.put("/events/{id}/buy", resource);
        handlers.put("/search", resource);
        handlers.put("/{*rest}", (HttpRequestHandler) this::page);
        StaticWebApplicationContext context = new StaticWebApplicationContext();
        context.registerBean("mapping", SimpleUrlHandlerMapping.class, () -> new SimpleUrlHandlerMapping(handlers));
        return new DispatcherServlet(context);
    }

    private void page(HttpServletRequest request, HttpServletResponse response) throws ServletException, IOException {
        String path = request.getServletPath() + (request.getPathInfo() == null ? "" : request.getPathInfo());
        open.add(request.getRequestURI());
        if (request.getDispatcherType() == DispatcherType.REQUEST && request.getHeader(AGAIN) != null) {
            RequestDispatcher again = request.getRequestDispatcher(path);
            if (again != null) {
                again.include(request, response);
                again.forward(request, response);
            }
        } else if (request.getDispatcherType() == DispatcherType.FORWARD) {
            request.startAsync().dispatch();
        }
    }

    private RoomApp app(Container.Kind kind, String context, boolean lenient) {
        return new RoomApp(kind, context, RoomFilterOptions.defaults(), ROOMS, Container.Parts.none()
                .withLenient(lenient).servlet("/tickets/*", new Protected()).servlet("/open/*", new Open())
                .servlet("/", spring()));
    }

    @ParameterizedTest
    @CsvSource({"TOMCAT, '', false", "TOMCAT, /shop, false", "TOMCAT, /shop, true", "JETTY, '', false",
            "JETTY, /shop, false", "JETTY, /shop, true"})
    void noSpellingReachesARoomWithoutATicket(Container.Kind kind, String context, boolean lenient) {
        try (RoomApp app = app(kind, context, lenient); RawConnection client = new RawConnection(app.port())) {
            Guest.inside(app);
            Map<Integer, Integer> statuses = new LinkedHashMap<>();
            Set<String> spellings = new LinkedHashSet<>(lenient
                    ? PathSpellings.withOneOddPart(context, "tickets", "a")
                    : PathSpellings.of(context, "tickets", "a"));
            spellings.addAll(PathSpellings.withOneOddPart(context, "events", "7", "buy"));
            spellings.addAll(PathSpellings.withOneOddPart(context, "search"));
            for (String spelling : spellings) {
                statuses.merge(client.status("GET", spelling, PICTURE + AGAIN + ": 1\r\n"), 1, Integer::sum);
            }
            client.status("OPTIONS", "*", "");
            assertThat(breaches).as("statuses %s", statuses).isEmpty();
            assertThat(statuses).doesNotContainKey(0);
            assertThat(statuses.get(503)).as("spellings that the room reads, of %s", statuses).isGreaterThan(20);
            assertThat(open).as("spellings that lead elsewhere").isNotEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({"TOMCAT, ''", "TOMCAT, /shop", "TOMCAT, /café", "JETTY, ''", "JETTY, /shop", "JETTY, /café"})
    void ordinarySpellingsAreServed(Container.Kind kind, String context) {
        try (RoomApp app = app(kind, context, false); RawConnection client = new RawConnection(app.port())) {
            Guest inside = Guest.inside(app);
            String below = context.replace("é", "%C3%A9");
            String cookie = "Cookie: " + inside.jar() + "\r\n";
            for (String path : new String[]{"/a", "/a/", "/", "", "/gr%C3%B6%C3%9Fe", "/gr%c3%b6%c3%9fe", "/a%20b",
                    "/a+b", "/a;jsessionid=1.node2", "/;jsessionid=1", ";jsessionid=1", "/a.b",
                    "/a@b:c,d=e!$&'()*", "/%E2%82%AC", "/A%2DB", "/%7Euser", "/a%3Bb", "/x%C3%BC;v=1;w=2", "/a?b=/../c",
                    "/.well-known/x", "/..a", "/a..", "/%E5%B1%95%E7%A4%BA"}) {
                assertThat(client.status("GET", below + "/tickets" + path, PICTURE)).as("waits: %s", path)
                        .isEqualTo(503);
                assertThat(client.status("GET", below + "/tickets" + path, cookie)).as("inside: %s", path)
                        .isEqualTo(200);
                assertThat(client.status("GET", below + "/open" + path, PICTURE)).as("open: %s", path)
                        .isEqualTo(200);
            }
            assertThat(client.status("GET", below.toLowerCase(Locale.ROOT) + "/tickets/a", cookie)).isEqualTo(200);
            assertThat(breaches).isEmpty();
        }
    }
}
