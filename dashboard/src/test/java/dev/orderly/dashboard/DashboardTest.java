package dev.orderly.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.Orderly;
import dev.orderly.Store;
import dev.orderly.access.Identity;
import dev.orderly.access.Role;
import dev.orderly.access.control.AccessControl;
import dev.orderly.access.control.AccessOptions;
import dev.orderly.dashboard.exchange.DashboardRequest;
import dev.orderly.dashboard.exchange.DashboardRoute;
import dev.orderly.job.Limit;
import dev.orderly.job.Payload;
import dev.orderly.operate.Caller;
import dev.orderly.room.Limits;
import dev.orderly.room.RoomMode;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.gate.RoomEngine;
import dev.orderly.room.gate.RoomSignals;
import dev.orderly.room.store.GateId;
import dev.orderly.room.token.RoomTokens;
import dev.orderly.room.token.TokenKeys;
import dev.orderly.testkit.FaultyStore;
import dev.orderly.testkit.MemoryStore;
import dev.orderly.time.Time;
import dev.orderly.web.message.Header;
import dev.orderly.web.message.Response;
import dev.orderly.web.problem.Problem;
import dev.orderly.web.problem.ProblemType;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What holds for every page and every action. */
class DashboardTest {
    /** Questions whose answer depends on a secret, which must not be in an address. */
    private static final List<String> LOOKUPS = List.of("/rooms/{room}/why");

    private final MemoryStore store = new MemoryStore();
    private final Orderly orderly = Orderly.open(store);
    private final AccessControl access = new AccessControl(store.credentials(), store.audit(), Time.system(),
            AccessOptions.DEFAULT);
    private final RoomEngine rooms = new RoomEngine(store.rooms(),
            new RoomTokens(TokenKeys.of(List.of(new byte[32]))), new GateId("here"), Time.system(), new Random(1));
    private final Dashboard dashboard = new Dashboard(new Dashboard.Mount("/ops", null),
            new Dashboard.Sources(orderly, rooms, access.audit()), Time.system());

    @AfterEach
    void close() {
        dashboard.close();
        rooms.close();
        orderly.close();
    }

    @Test
    void noActionServesARoleBelowItsLeast() {
        for (DashboardRoute route : dashboard.routes()) {
            if (!route.method().equals("GET") && !LOOKUPS.contains(route.path().text())) {
                assertThat(route.least()).as("least role of %s", route.path().text()).isNotEqualTo(Role.VIEWER);
                Response refused = dashboard.answer(request(route.method(),
                        route.path().text().replaceAll("\\{[a-z]+}", "x"), Role.VIEWER));
                assertThat(refused.status()).as(route.path().text()).isEqualTo(403);
            }
        }
    }

    @Test
    void everyPageIsProtectedByItsHeadersAndHasNoScriptOrStyleInItself() {
        orderly.queue("mails", Payload.class);
        for (String path : List.of("/", "/queues", "/queues/mails", "/nowhere")) {
            Response page = dashboard.answer(request("GET", path, Role.ADMIN));
            String html = new String(page.body(), StandardCharsets.UTF_8);
            assertThat(header(page, "Content-Security-Policy")).contains("script-src 'self'")
                    .doesNotContain("unsafe");
            assertThat(html).as(path).doesNotContain("<style", " style=", " onclick=", "href=\"/queues\"")
                    .contains("href=\"/ops/queues\"").doesNotContainPattern("<script(?! [^>]*src=)");
        }
    }

    @Test
    void theQueuesShowTheirLimitWithWhatItCounts() {
        orderly.limit("crm-api", Limit.concurrency(3).rate(60, Duration.ofMinutes(1)));
        orderly.handle(orderly.queue("mails", String.class, o -> o.withLimit("crm-api")), (_, _) -> {});
        orderly.start();
        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> assertThat(html("/queues"))
                .contains("Limits over all nodes", "crm-api", "0 of 3", "0 of 60 per 60s"));
        assertThat(html("/queues/mails")).contains("limit crm-api", "0 of 3 running, 0 of 60 per 60s started");
        orderly.stop();
    }

    private String html(String path) {
        return new String(dashboard.answer(request("GET", path, Role.VIEWER)).body(), StandardCharsets.UTF_8);
    }

    @Test
    void theMenuOffersWhatTheRoleMayOpenAndARefusedPageKeepsWhoIsSignedIn() {
        String viewers = new String(dashboard.answer(request("GET", "/audit", Role.VIEWER)).body(),
                StandardCharsets.UTF_8);
        assertThat(viewers).contains("This needs the role admin", "ann<small>viewer</small>", "href=\"/ops/queues\"")
                .doesNotContain("href=\"/ops/audit\"", "href=\"/ops/config\"");
        assertThat(new String(dashboard.answer(request("GET", "/", Role.ADMIN)).body(), StandardCharsets.UTF_8))
                .contains("href=\"/ops/audit\"", "href=\"/ops/config\"");
        String nobody = new String(dashboard.refusal(new Problem(ProblemType.FORBIDDEN, "Sign in"), false).body(),
                StandardCharsets.UTF_8);
        assertThat(nobody).contains("Sign in").doesNotContain("worker", "href=\"/ops/queues\"");
    }

    @Test
    void namesThatTryToBeHtmlStayText() {
        Response page = dashboard.answer(new DashboardRequest("GET", "/queues/%3Cscript%3E", Map.of(),
                Map.of(), new Caller(new Identity(Identity.Kind.PROXY, "<b>ann</b>", Role.VIEWER), "", "a\"b'c")));
        assertThat(page.status()).isEqualTo(404);
        assertThat(new String(page.body(), StandardCharsets.UTF_8)).doesNotContain("<script>", "<b>ann")
                .contains("&lt;script&gt;", "&lt;b&gt;ann");
    }

    @Test
    void whileTheStoreOfJobsIsAwayEveryPageSaysSoAndRoomsAreOperated() {
        FaultyStore jobs = new FaultyStore(new MemoryStore());
        MemoryStore visitors = new MemoryStore();
        Store mixed = Store.of(jobs, visitors);
        Orderly apart = Orderly.open(mixed);
        AccessControl control = new AccessControl(mixed.credentials(), mixed.audit(), Time.system(),
                AccessOptions.DEFAULT);
        RoomEngine engine = new RoomEngine(mixed.rooms(), new RoomTokens(TokenKeys.of(List.of(new byte[32]))),
                new GateId("here"), Time.system(), new Random(1));
        engine.declare(new RoomName("sale"), RoomOptions.of(new Limits(5, null)), RoomSignals.none());
        try (Dashboard pages = new Dashboard(new Dashboard.Mount("", null),
                new Dashboard.Sources(apart, engine, control.audit()), Time.system())) {
            jobs.failNext(FaultyStore.Call.AUDIT_APPEND, FaultyStore.Fault.BEFORE, 1_000);
            jobs.failNext(FaultyStore.Call.CHECK_WRITABLE, FaultyStore.Fault.BEFORE, 1_000);
            jobs.failNext(FaultyStore.Call.QUEUES, FaultyStore.Fault.BEFORE, 1_000);
            apart.start();
            await().atMost(Duration.ofSeconds(60)).until(() -> !apart.stores().outages().isEmpty());
            for (String path : List.of("/", "/rooms", "/rooms/sale", "/queues", "/nodes", "/nowhere")) {
                assertThat(html(pages.answer(request("GET", path, Role.ADMIN)))).as(path)
                        .contains("The store of jobs does not answer", "jobs, schedules, access and history are out");
            }
            assertThat(pages.answer(request("GET", "/", Role.ADMIN)).status()).isEqualTo(200);
            Response held = pages.answer(new DashboardRequest("POST", "/rooms/sale/mode", Map.of(),
                    Map.of("mode", List.of("hold"), "seen", List.of("auto")),
                    request("POST", "", Role.OPERATOR).viewer()));
            assertThat(held.status()).as(html(held)).isEqualTo(200);
            assertThat(visitors.rooms().rooms(Time.system().now()).getFirst().mode()).isEqualTo(RoomMode.HOLD);
        } finally {
            engine.close();
            apart.close();
        }
    }

    @Test
    void figuresOfARoomWhoseStoreIsAwaySaySinceWhenTheyAreOld() {
        FaultyStore visitors = new FaultyStore(new MemoryStore());
        Store mixed = Store.of(new MemoryStore(), visitors);
        Orderly apart = Orderly.open(mixed);
        RoomEngine engine = new RoomEngine(mixed.rooms(), new RoomTokens(TokenKeys.of(List.of(new byte[32]))),
                new GateId("here"), Time.system(), new Random(1));
        engine.declare(new RoomName("sale"), RoomOptions.of(new Limits(5, null)), RoomSignals.none());
        try (Dashboard pages = new Dashboard(new Dashboard.Mount("", null),
                new Dashboard.Sources(apart, engine, access.audit()), Time.system())) {
            assertThat(html(pages.answer(request("GET", "/", Role.VIEWER)))).contains("Nothing needs attention");
            visitors.failRandomly(1, 1);
            apart.start();
            await().atMost(Duration.ofSeconds(60)).until(() -> !apart.stores().outages().isEmpty());
            for (String path : List.of("/", "/rooms", "/rooms/sale")) {
                assertThat(html(pages.answer(request("GET", path, Role.VIEWER)))).as(path)
                        .contains("The store of rooms does not answer", "as of ").doesNotContain("0 s to 1 s");
            }
            assertThat(html(pages.answer(request("GET", "/", Role.VIEWER)))).contains("sale lets nobody new in")
                    .doesNotContain("Nothing needs attention");
        } finally {
            engine.close();
            apart.close();
        }
    }

    private static String html(Response page) {
        return new String(page.body(), StandardCharsets.UTF_8);
    }

    private static String header(Response page, String name) {
        return page.headers().stream().filter(header -> header.name().equals(name)).map(Header::value).findFirst()
                .orElse("");
    }

    private static DashboardRequest request(String method, String path, Role role) {
        return new DashboardRequest(method, path, Map.of(), Map.of(),
                new Caller(new Identity(Identity.Kind.TOKEN, "ann", role), "", null));
    }
}
