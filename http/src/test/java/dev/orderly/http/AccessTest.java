package dev.orderly.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.access.AccessToken;
import dev.orderly.access.Role;
import dev.orderly.access.TokenName;
import dev.orderly.access.TokenSecret;
import dev.orderly.access.store.AuditEntry;
import dev.orderly.access.store.AuditEntry.Outcome;
import dev.orderly.access.store.AuditQuery;
import dev.orderly.http.Node.Reply;
import dev.orderly.http.access.AccessGate;
import dev.orderly.http.access.AccessPolicy;
import dev.orderly.http.access.ApiEndpoint;
import dev.orderly.http.access.ProxyAccess;
import dev.orderly.http.api.ApiEndpoints;
import dev.orderly.http.api.ConfigReload;
import dev.orderly.http.health.Readiness;
import dev.orderly.http.listener.BindAddress;
import dev.orderly.http.webhook.AttemptTokens;
import dev.orderly.job.QueueName;
import dev.orderly.job.present.JobPresentation;
import dev.orderly.time.Time;
import dev.orderly.web.edge.TrustedProxies;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Identities, roles and operations of the API, on a listener on loopback. */
class AccessTest {
    private static final BindAddress FREE = BindAddress.loopback(0);
    private static final String PROXY = "a secret of 32 characters or more";

    private @Nullable Node node;

    private static AccessPolicy policy(ProxyAccess proxy, String... hosts) {
        return new AccessPolicy(FREE, false, List.of(hosts), proxy);
    }

    private Node node() {
        return node(policy(ProxyAccess.NONE));
    }

    private Node node(AccessPolicy policy) {
        if (node == null) {
            node = new Node(policy);
        }
        return node;
    }

    @AfterEach
    void close() {
        if (node != null) {
            node.close();
        }
    }

    private String token(String name, Role role, String... queues) {
        TokenSecret secret = TokenSecret.random(new SecureRandom());
        Set<QueueName> named = Set.copyOf(List.of(queues).stream().map(QueueName::new).toList());
        node().access.create(new AccessToken(new TokenName(name), role, named, Time.system().now(), null), secret);
        return secret.text();
    }

    private HttpRequest.Builder with(@Nullable String token, String path) {
        HttpRequest.Builder request = Node.at(node().api.port(), path);
        return token == null ? request : request.header("Authorization", "Bearer " + token);
    }

    private List<ApiEndpoint> endpoints() {
        return ApiEndpoints.all(node().orderly, node().rooms, new Readiness(List.of(), Time.system()),
                ConfigReload.NONE, new AttemptTokens(List.of()), JobPresentation.PLAIN,
                new AccessGate(node().access, policy(ProxyAccess.NONE), Time.system()));
    }

    private static String path(ApiEndpoint endpoint) {
        return endpoint.endpoint().path().text().replace("{queue}", "emails").replace("{room}", "sale")
                .replace("{schedule}", "digest").replace("{node}", "nobody").replace("{name}", "nobody")
                .replace("{code}", "0").replace("{limit}", "queue:emails").replace("{key}", "acme")
                .replace("{step}", "charge").replace("{batch}", "import").replace("{series}", "0123456789ab")
                .replace("{event}", "approval")
                .replace("{id}", "01990000-0000-7000-8000-000000000000")
                .replace("{operation}", "01990000-0000-7000-8000-000000000000");
    }

    @Test
    void everyRouteServesExactlyTheRolesThatItDeclares() {
        Map<String, @Nullable String> callers = new HashMap<>();
        callers.put("none", null);
        for (Role role : List.of(Role.VIEWER, Role.OPERATOR, Role.ADMIN)) {
            callers.put(role.text(), token(role.text(), role));
        }
        callers.put("worker", token("worker", Role.WORKER, "emails"));
        callers.put("stranger", token("stranger", Role.WORKER, "other"));
        List<String> wrong = new ArrayList<>();
        for (ApiEndpoint endpoint : endpoints()) {
            for (Map.Entry<String, @Nullable String> caller : callers.entrySet()) {
                Reply reply = node().send(with(caller.getValue(), path(endpoint)).method(endpoint.endpoint().method(),
                        BodyPublishers.noBody()));
                int expected = expected(endpoint, caller.getKey());
                boolean served = reply.status() != 401
                        && (reply.status() != 403 || reply.problem().equals("attempt-token"));
                if (expected == 0 ? !served : reply.status() != expected) {
                    wrong.add(endpoint.operation() + " as " + caller.getKey() + " answered " + reply);
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    /** The status of a refusal; 0 if the operation is served, whatever it answers. */
    private static int expected(ApiEndpoint endpoint, String caller) {
        if (endpoint.least().isPublic()) {
            return switch (endpoint.operation()) {
                case "login", "logout" -> 415;
                case "loginLinkPage", "loginByLink" -> 401; // no such link
                default -> 0;
            };
        }
        return switch (caller) {
            case "none" -> 401;
            case "stranger" -> endpoint.least().allows(Role.WORKER) && !path(endpoint).contains("emails") ? 0 : 403;
            default -> endpoint.least().allows(Role.parse(caller).orElseThrow()) ? 0 : 403;
        };
    }

    @Test
    void aRequestWithoutATokenIsChallengedAndLearnsNothing() {
        Reply known = node().send(with(null, "/api/v1/queues").GET());
        Reply unknown = node().send(with(null, "/api/v1/nothing").GET());
        assertThat(known.status()).isEqualTo(401);
        assertThat(known.header("WWW-Authenticate")).isEqualTo("Bearer realm=\"orderly\"");
        assertThat(known.problem()).isEqualTo("unauthenticated");
        assertThat(known.detail()).contains("ORDERLY_TOKEN", "orderly token create");
        assertThat(unknown.status()).isEqualTo(401);
        assertThat(node().send(with(token("ci", Role.VIEWER), "/api/v1/nothing").GET()).status()).isEqualTo(404);
    }

    @ParameterizedTest
    @CsvSource({"Bearer orderly_x", "Bearer", "Basic b3BzOm9wcw==", "orderly_"})
    void aMalformedCredentialIsNeverTakenForNone(String authorization) {
        try (Node open = new Node(policy(ProxyAccess.NONE))) {
            Reply reply = open.send(open.atApi("/queues").header("Authorization", authorization).GET());
            assertThat(reply.status()).isEqualTo(401);
            assertThat(reply.header("WWW-Authenticate")).contains("invalid_token");
        }
    }

    @Test
    void aRefusalNamesOperationRoleAndRequiredRoleAndIsInTheAuditLog() {
        Reply refused = node().send(with(token("eve", Role.VIEWER), "/api/v1/queues/emails/pause")
                .POST(BodyPublishers.noBody()));
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.problem()).isEqualTo("role");
        assertThat(refused.json().path("operation").asString()).isEqualTo("pause");
        assertThat(refused.json().path("role").asString()).isEqualTo("viewer");
        assertThat(refused.json().path("required").asString()).isEqualTo("operator");
        assertThat(newest().outcome()).isEqualTo(Outcome.REFUSED);
        assertThat(newest().act().name()).isEqualTo("eve");
        assertThat(newest().act().object()).isEqualTo("queue emails");
    }

    private AuditEntry newest() {
        return node().access.audit().list(AuditQuery.newest(1)).getFirst();
    }

    @Test
    void aWorkerPushesToItsQueuesOnly() {
        String worker = token("mailer", Role.WORKER, "emails");
        Reply own = node().post(with(worker, "/api/v1/queues/emails/jobs"), "application/json", "1");
        Reply other = node().post(with(worker, "/api/v1/queues/tiny/jobs"), "application/json", "1");
        assertThat(own.status()).isEqualTo(202);
        assertThat(other.status()).isEqualTo(403);
        assertThat(other.json().path("queue").asString()).isEqualTo("tiny");
    }

    @Test
    void anAddressThatGuessesIsSlowedDownAndAValidTokenOfItIsServed() {
        String valid = token("ci", Role.VIEWER);
        node().send(with(valid, "/api/v1/queues").GET());
        List<CompletableFuture<Reply>> guesses = IntStream.range(0, 14).mapToObj(_ -> CompletableFuture.supplyAsync(
                () -> node().send(with(TokenSecret.random(new SecureRandom()).text(), "/api/v1/queues").GET()),
                task -> Thread.ofVirtual().start(task))).toList();
        assertThat(guesses.stream().map(CompletableFuture::join).map(Reply::status)).contains(401, 429)
                .containsOnly(401, 429);
        Reply late = node().send(with("orderly_nonsense", "/api/v1/queues").GET());
        assertThat(late.status()).isEqualTo(429);
        assertThat(late.header("Retry-After")).isEqualTo("10");
        assertThat(late.problem()).isEqualTo("too-many-failures");
        assertThat(node().send(with(valid, "/api/v1/queues").GET()).status()).isEqualTo(200);
    }

    @Test
    void aTrustedProxyNamesUserAndRole() {
        ProxyAccess proxy = new ProxyAccess(TrustedProxies.of("127.0.0.1"), "X-User", "X-Groups", null, null)
                .withSecret(PROXY);
        Node behind = node(policy(proxy, "admin.example"));
        Reply ann = behind
                .send(behind.atApi("/identity").header(ProxyAccess.SECRET, PROXY).header("X-User", "ann@example.com")
                        .header("X-Groups", "staff, operator, viewer").header("Authorization", "Basic eDp5").GET());
        assertThat(ann.json().path("kind").asString()).isEqualTo("proxy");
        assertThat(ann.json().path("name").asString()).isEqualTo("ann@example.com");
        assertThat(ann.json().path("role").asString()).isEqualTo("operator");
        assertThat(behind.send(behind.atApi("/identity").header(ProxyAccess.SECRET, PROXY).header("X-User", "bob")
                .header("X-Groups", "staff").GET())
                .status()).as("a user without a role").isEqualTo(401);
        assertThat(behind.send(behind.atApi("/identity").header(ProxyAccess.SECRET, PROXY).header("X-Groups", "admin")
                .GET()).status()).isEqualTo(401);
        String token = token("ci", Role.VIEWER);
        assertThat(behind.send(with(token, "/api/v1/identity").header(ProxyAccess.SECRET, PROXY).header("X-User", "ann")
                .header("X-Groups", "admin")
                .GET()).json().path("name").asString()).as("a token comes before the proxy's user").isEqualTo("ci");
    }

    @Test
    void headersOfOtherAddressesNameNobody() {
        ProxyAccess proxy = new ProxyAccess(TrustedProxies.of("192.0.2.1"), "X-User", "X-Groups", Role.ADMIN, null)
                .withSecret(PROXY);
        Node direct = node(policy(proxy));
        assertThat(direct
                .send(direct.atApi("/identity").header(ProxyAccess.SECRET, PROXY).header("X-User", "ann")
                        .header("X-Groups", "admin").GET())
                .status()).isEqualTo(401);
    }

    /** Forwarders, side-cars, port-forwards and programs of other users all connect from this machine. */
    @ParameterizedTest
    @CsvSource({"127.0.0.1", "localhost", "[::1]"})
    void nothingIsGrantedByTheAddressFromWhichARequestComes(String host) {
        assertThat(RawHttp.status(node().api.port(), "GET /api/v1/queues HTTP/1.1\r\nHost: " + host + "\r\n\r\n"))
                .isEqualTo(401);
        assertThat(RawHttp.status(node().api.port(), "GET /api/v1/tokens HTTP/1.1\r\nHost: " + host + "\r\n\r\n"))
                .isEqualTo(401);
    }

    @Test
    void theLocalCredentialDoesEverything() {
        Reply identity = node().send(Node.asLocal(with(null, "/api/v1/identity")).GET());
        assertThat(identity.json().path("kind").asString()).isEqualTo("local");
        assertThat(identity.json().path("role").asString()).isEqualTo("admin");
    }

    @Test
    void aProxyIsProvenByItsSecretAndNotByItsAddress() {
        ProxyAccess proxy = new ProxyAccess(TrustedProxies.of("127.0.0.1"), "X-User", null, Role.ADMIN, null)
                .withSecret(PROXY);
        Node behind = node(policy(proxy));
        Reply unproven = behind.send(behind.atApi("/identity").header("X-User", "ann").GET());
        assertThat(unproven.status()).isEqualTo(401);
        assertThat(unproven.detail()).contains("admin.proxy-secret-env", ProxyAccess.SECRET);
        assertThat(behind.send(behind.atApi("/identity").header("X-User", "ann")
                .header(ProxyAccess.SECRET, PROXY.substring(1)).GET()).status()).isEqualTo(401);
        assertThat(behind.send(behind.atApi("/identity").header("X-User", "ann")
                .header(ProxyAccess.SECRET, PROXY).GET()).json().path("name").asString()).isEqualTo("ann");
    }

    @ParameterizedTest
    @CsvSource({"admin.example,200", "ADMIN.example:443,200", "127.0.0.1,200", "evil.example,421", "10.0.0.1,421"})
    void theApiAnswersToItsConfiguredHosts(String host, int status) {
        node(policy(ProxyAccess.NONE, "admin.example"));
        String token = token("ci", Role.VIEWER);
        assertThat(RawHttp.status(node().api.port(), "GET /api/v1/queues HTTP/1.1\r\nHost: " + host
                + "\r\nAuthorization: Bearer " + token + "\r\n\r\n")).isEqualTo(status);
    }

    @Test
    void aTokenIsCreatedShownOnceListedAndRevoked() {
        String admin = token("root", Role.ADMIN);
        Reply created = node().post(with(admin, "/api/v1/tokens"), "application/json",
                "{\"name\":\"mailer\",\"role\":\"worker\",\"queues\":[\"emails\"],\"life\":\"P90D\"}");
        assertThat(created.status()).isEqualTo(201);
        String mailer = created.json().path("token").asString();
        assertThat(node().send(with(mailer, "/api/v1/identity").GET()).json().path("role").asString())
                .isEqualTo("worker");
        Reply list = node().send(with(admin, "/api/v1/tokens").GET());
        assertThat(list.json().path("tokens").findValuesAsString("name")).containsExactly("mailer", "root");
        assertThat(list.text()).doesNotContain(mailer);
        Reply again = node().post(with(admin, "/api/v1/tokens"), "application/json",
                "{\"name\":\"mailer\",\"role\":\"viewer\"}");
        assertThat(again.status()).isEqualTo(409);
        assertThat(node().send(with(admin, "/api/v1/tokens/mailer").DELETE()).status()).isEqualTo(200);
        assertThat(node().send(with(mailer, "/api/v1/identity").GET()).status()).isEqualTo(401);
        assertThat(node().send(with(admin, "/api/v1/tokens/mailer").DELETE()).problem()).isEqualTo("unknown-token");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"{\"name\":\"a b\",\"role\":\"viewer\"}|422", "{\"name\":\"a\"}|400",
            "{\"name\":\"a\",\"role\":\"worker\"}|422", "{\"name\":\"a\",\"role\":\"admin\",\"queues\":[\"q\"]}|422",
            "{\"name\":\"a\",\"role\":\"viewer\",\"life\":\"P9999D\"}|400", "{\"name\":\"a\",\"role\":\"root\"}|400"})
    void aTokenThatBreaksARuleIsRefused(String body, int status) {
        String admin = token("root", Role.ADMIN);
        assertThat(node().post(with(admin, "/api/v1/tokens"), "application/json", body).status()).isEqualTo(status);
        assertThat(node().access.tokens()).hasSize(1);
    }
}
