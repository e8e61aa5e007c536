package dev.orderly.servlet;

import dev.orderly.flow.OriginTraffic;
import dev.orderly.room.Limits;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.gate.Room;
import dev.orderly.room.gate.RoomEngine;
import dev.orderly.room.gate.RoomSignals;
import dev.orderly.room.store.GateId;
import dev.orderly.room.store.JoinRequest;
import dev.orderly.room.store.JoinResult;
import dev.orderly.room.store.RoomStore;
import dev.orderly.room.token.RoomTokens;
import dev.orderly.room.token.TokenKeys;
import dev.orderly.servlet.room.RoomFilter;
import dev.orderly.servlet.room.RoomFilterOptions;
import dev.orderly.testkit.FaultyStore;
import dev.orderly.testkit.ForwardingRooms;
import dev.orderly.testkit.ManualTime;
import dev.orderly.testkit.MemoryStore;
import dev.orderly.web.browser.Guest;
import dev.orderly.web.room.GatedRoom;
import dev.orderly.web.room.RoomMatch;
import dev.orderly.web.room.check.JoinCheck;
import dev.orderly.web.room.page.PageLook;
import dev.orderly.web.room.page.PageTemplate;
import dev.orderly.web.room.page.WaitingPage;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.UnaryOperator;

/** An application with a room for one over {@code /tickets/**}, which answers each request with its own path. */
public final class RoomApp implements Guest.Site, AutoCloseable {
    public static final RoomName SALE = new RoomName("sale");
    public static final RoomOptions ONE_INSIDE = RoomOptions.of(new Limits(1, null));

    public final ManualTime time = new ManualTime();
    public final FaultyStore store = new FaultyStore(new MemoryStore());
    public final RoomEngine rooms;
    public final OriginTraffic traffic;
    /** Method, path, room and cookies of each request that reached the application. */
    public final Queue<String> reached = new ConcurrentLinkedQueue<>();
    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Container container;
    private final String context;
    private volatile Step beforeStore = () -> {};
    private volatile Behaviour behaviour = (_, _) -> {};

    /** What the application does before its answer. */
    @FunctionalInterface
    public interface Behaviour {
        void serve(HttpServletRequest request, HttpServletResponse response) throws ServletException, IOException;
    }

    public RoomApp(Container.Kind kind, String context) {
        this(kind, context, RoomFilterOptions.defaults(), RoomMatch.of("/tickets/**"));
    }

    public RoomApp(Container.Kind kind, String context, RoomFilterOptions options, RoomMatch match) {
        this(kind, context, options, match, Container.Parts.none());
    }

    /** @param check decides which visitors get a place */
    public RoomApp(Container.Kind kind, String context, JoinCheck check) {
        this(kind, context, RoomFilterOptions.defaults(), RoomMatch.of("/tickets/**"), Container.Parts.none(),
                room -> room.withCheck(check));
    }

    /** @param parts more of the application; servlets instead of the one that answers with its path */
    public RoomApp(Container.Kind kind, String context, RoomFilterOptions options, RoomMatch match,
            Container.Parts parts) {
        this(kind, context, options, match, parts, room -> room);
    }

    /** @param room of the application */
    public RoomApp(Container.Kind kind, String context, RoomOptions room, UnaryOperator<GatedRoom> change) {
        this(kind, context, RoomFilterOptions.defaults(), RoomMatch.of("/tickets/**"), Container.Parts.none(), room,
                change);
    }

    private RoomApp(Container.Kind kind, String context, RoomFilterOptions options, RoomMatch match,
            Container.Parts parts, UnaryOperator<GatedRoom> change) {
        this(kind, context, options, match, parts, ONE_INSIDE, change);
    }

    private RoomApp(Container.Kind kind, String context, RoomFilterOptions options, RoomMatch match,
            Container.Parts parts, RoomOptions declared, UnaryOperator<GatedRoom> change) {
        this.context = context;
        rooms = new RoomEngine(new Slow(store.rooms()), new RoomTokens(TokenKeys.of(List.of(new byte[32]))),
                new GateId("here"),
                time, new SecureRandom());
        Room room = rooms.declare(SALE, declared, RoomSignals.none());
        traffic = room.visits().traffic();
        rooms.step();
        GatedRoom gated = change.apply(GatedRoom.of(room, match, new WaitingPage(SALE, PageLook.titled("The sale"),
                PageTemplate.standard())));
        parts.filter(new RoomFilter(List.of(gated), options));
        container = kind.start(context, parts.servlets().isEmpty() ? parts.servlet("/*", new Application()) : parts);
    }

    /** A step of a test on a thread that may be interrupted. */
    @FunctionalInterface
    public interface Step {
        void run() throws InterruptedException;
    }

    /** A store whose answers wait for the test. */
    private final class Slow extends ForwardingRooms {
        Slow(RoomStore rooms) {
            super(rooms);
        }

        @Override
        public List<JoinResult> join(RoomName room, List<JoinRequest> joins, Instant now) {
            pause();
            return super.join(room, joins, now);
        }

        private void pause() {
            try {
                beforeStore.run();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** Sets what happens before each call for new visitors. */
    public void beforeStore(Step step) {
        beforeStore = step;
    }

    @SuppressWarnings("serial") // not serialized
    private final class Application extends HttpServlet {
        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response)
                throws ServletException, IOException {
            reached.add(request.getMethod() + " " + request.getRequestURI() + " " + request.getHeader("Orderly-Room")
                    + " " + request.getHeader("Cookie"));
            behaviour.serve(request, response);
            if (!response.isCommitted() && !request.isAsyncStarted()) {
                response.setContentType("text/html; charset=utf-8");
                response.getWriter().write("application " + request.getRequestURI());
            }
        }
    }

    /** Sets what the application does before each answer. */
    public void does(Behaviour what) {
        behaviour = what;
    }

    public Room room() {
        return rooms.find(SALE).orElseThrow();
    }

    /** Advances the time by seconds, with a round of the rooms after each. */
    public void pass(int seconds) {
        for (int i = 0; i < seconds; i++) {
            time.advance(Duration.ofSeconds(1));
            rooms.step();
        }
    }

    public int port() {
        return container.port();
    }

    public String url(String path) {
        return "http://127.0.0.1:" + container.port() + context + path;
    }

    @Override
    public HttpRequest.Builder at(String path) {
        return HttpRequest.newBuilder(URI.create(URI.create(url(path)).toASCIIString()))
                .timeout(Duration.ofSeconds(60));
    }

    @Override
    public HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return client.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public HttpClient client() {
        return client;
    }

    @Override
    public void close() {
        client.shutdownNow();
        container.close();
        rooms.close();
        store.close();
    }
}
