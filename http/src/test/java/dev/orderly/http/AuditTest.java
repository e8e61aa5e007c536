package dev.orderly.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.access.AccessToken;
import dev.orderly.access.Identity;
import dev.orderly.access.Identity.Kind;
import dev.orderly.access.Role;
import dev.orderly.access.TokenName;
import dev.orderly.access.TokenSecret;
import dev.orderly.access.store.AuditEntry;
import dev.orderly.access.store.AuditEntry.Outcome;
import dev.orderly.access.store.AuditQuery;
import dev.orderly.http.Node.Reply;
import dev.orderly.http.api.ApiEndpoints;
import dev.orderly.job.Limit;
import dev.orderly.job.LimitName;
import dev.orderly.job.NodeId;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.Declared;
import dev.orderly.job.store.DeclaredLimits;
import dev.orderly.job.store.UpkeepRequest;
import dev.orderly.operate.Caller;
import dev.orderly.operate.JobControl;
import dev.orderly.operate.OperationRefusedException;
import dev.orderly.operate.OperationSpec;
import dev.orderly.operate.Operations;
import dev.orderly.operate.Targets;
import dev.orderly.room.Opening;
import dev.orderly.room.Openings;
import dev.orderly.room.RoomName;
import dev.orderly.room.Tiers;
import dev.orderly.room.gate.Room;
import dev.orderly.schedule.ScheduleName;
import dev.orderly.testkit.contract.input.HostileTexts;
import java.net.URLEncoder;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** Changes through the API and their entries in the audit log. */
class AuditTest {
    private static final String VISITOR = "AAAAAAAAAAAAAAAAAAAAAA";
    private static final LimitName CRM = new LimitName("crm-api");
    /** Operation, request and expected entry of each change. */
    private static final List<Change> CHANGES = List.of(
            new Change("pause", "POST /queues/emails/pause", "", "queue emails", "running", "paused"),
            new Change("resume", "POST /queues/emails/resume", "", "queue emails", "paused", "running"),
            new Change("redrive", "POST /queues/emails/redrive?all=true", "", "queue emails", "all dead letters",
                    "redriven 0"),
            new Change("queueSettings", "PATCH /queues/emails", "{\"concurrency\":3}", "queue emails",
                    "as configured", "concurrency 3"),
            new Change("limitSettings", "PATCH /limits/crm-api", "{\"concurrency\":3}", "limit crm-api", "as declared",
                    "concurrency 3"),
            new Change("openBatch", "POST /batches", "{\"batch\":\"import\",\"queue\":\"emails\"}", "batch import",
                    "", "callback for queue emails"),
            new Change("closeBatch", "POST /batches/import/close", "", "batch import", "open", "finished"),
            new Change("cancelBatch", "POST /batches/import/cancel", "", "batch import", "finished", "finished"),
            new Change("pauseKey", "POST /queues/emails/keys/a%2Fb/pause", "", "key a/b of queue emails", "running",
                    "paused"),
            new Change("keySettings", "PATCH /queues/emails/keys/a%2Fb", "{\"concurrency\":3}",
                    "key a/b of queue emails", "paused", "paused, concurrency 3"),
            new Change("resumeKey", "POST /queues/emails/keys/a%2Fb/resume", "", "key a/b of queue emails",
                    "paused, concurrency 3", "running, concurrency 3"),
            new Change("forgetQueue", "DELETE /queues/gone", "", "queue gone", "", "forgotten"),
            new Change("forgetSchedule", "DELETE /schedules/gone", "", "schedule gone", "", "forgotten"),
            new Change("setSchedule", "PUT /schedules/tenant-7",
                    "{\"cron\":\"hourly\",\"queue\":\"emails\",\"payload\":{\"secret\":1}}", "schedule tenant-7",
                    "none",
                    "hourly UTC -> emails"),
            new Change("pauseSchedule", "POST /schedules/digest/pause", "", "schedule digest", "running", "paused"),
            new Change("resumeSchedule", "POST /schedules/digest/resume", "", "schedule digest", "paused", "running"),
            new Change("drainNode", "POST /nodes/SELF/drain", "", "node ", "running", "draining"),
            new Change("resumeNode", "POST /nodes/SELF/resume", "", "node ", "draining", "running"),
            new Change("limitRoom", "PATCH /rooms/sale", "{\"capacity\":7}", "room sale", "configured limits",
                    "capacity 7, rate 5 per 15s"),
            new Change("admit", "POST /rooms/sale/admit", "{\"visitors\":2}", "room sale", "mode auto", "mode auto"),
            new Change("roomMode", "POST /rooms/sale/mode", "{\"mode\":\"hold\"}", "room sale", "", "mode hold"),
            new Change("roomMessage", "POST /rooms/sale/message", "{\"text\":\"Back at ten.\"}", "room sale", "",
                    "message \"Back at ten.\""),
            new Change("openAt", "POST /rooms/sale/open-at",
                    "{\"opens\":\"2999-03-02T11:00 UTC\",\"closes\":\"2999-03-02T12:00 UTC\"}", "room sale", "",
                    "the opening of 2999-03-02T10:00:00Z moved to 2999-03-02T11:00 UTC"),
            new Change("cancelOpening", "POST /rooms/sale/cancel-opening", "{}", "room sale", "",
                    "the opening of 2999-03-02T10:00:00Z moved to 2999-03-02T11:00 UTC cancelled"),
            new Change("roomEpoch", "POST /rooms/sale/epoch", "{}", "room sale", "epoch 1", "epoch 2"),
            new Change("revokeVisitor", "POST /rooms/sale/revoke", "{\"visitor\":\"" + VISITOR + "\"}", "room sale",
                    VISITOR, "revoked"),
            new Change("invite", "POST /rooms/sale/invitations",
                    "{\"tier\":\"press\",\"count\":2,\"expires\":\"PT1H\"}", "room sale", "",
                    "2 invitations to tier press until "),
            new Change("revokeInvitations", "DELETE /rooms/sale/invitations/0123456789ab", "", "room sale",
                    "invitations of series 0123456789ab", "revoked"),
            new Change("runSchedule", "POST /schedules/digest/run", "", "schedule digest", "",
                    "in queue checkout.fifo"),
            new Change("createToken", "POST /tokens", "{\"name\":\"ci\",\"role\":\"viewer\"}", "token ci", "",
                    "role viewer"),
            new Change("revokeToken", "DELETE /tokens/ci", "", "token ci", "role viewer", "revoked"),
            new Change("createLoginLink", "POST /login-links", "", "session", "", "a link"));

    private final Node node = new Node();

    private record Change(String operation, String request, String body, String object, String before, String after) {}

    @AfterEach
    void close() {
        node.close();
    }

    private Reply send(String request, String body) {
        String[] parts = request.replace("SELF", self()).split(" ", 2);
        var call = node.atApi(parts[1]).method(parts[0],
                body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        return node.send(body.isEmpty() ? call : call.header("Content-Type", "application/json"));
    }

    private String self() {
        return node.orderly.nodes().getFirst().report().node().value();
    }

    private List<AuditEntry> entries() {
        return node.access.audit().list(AuditQuery.newest(1_000));
    }

    @Test
    void everyChangeHasItsEntry() {
        Reply pushed = node.post(node.atApi("/queues/emails/jobs"), "application/json", "{\"secret\":1}");
        String id = pushed.json().path("id").asString();
        assertThat(send("DELETE /jobs/" + id, "").status()).isEqualTo(200);
        assertEntry(new Change("cancel", "", "", "job " + id, "queue emails, state waiting", "cancelled"));
        node.store.jobs().pause(new QueueName("gone"), true);
        node.store.schedules().declare(new ScheduleName("gone"), Declared.anew("hourly UTC", new NodeId("gone")),
                Instant.parse("2026-03-01T12:00:00Z"));
        Room sale = node.rooms.find(new RoomName("sale")).orElseThrow();
        sale.change(sale.options().withOpenings(new Openings(List.of(new Opening(
                Opening.parseTime("2999-03-02T10:00 UTC"), Duration.ZERO, null, null)), true))
                .withTiers(new Tiers(List.of(Tiers.Tier.invited("press", 5)))));
        NodeId declarer = new NodeId("here");
        node.store.jobs().upkeep(
                new UpkeepRequest(Duration.ofHours(1), 3, Map.of(), UpkeepRequest.Retention.DEFAULT, 10,
                        UpkeepRequest.LeaseRules.DEFAULT,
                        new DeclaredLimits(Map.of(CRM, Declared.anew(Limit.concurrency(20), declarer)),
                                Map.of(new QueueName("emails"), Declared.anew(Optional.of(CRM), declarer)))),
                Instant.parse("2026-03-01T12:00:00Z"));
        for (Change change : CHANGES) {
            Reply reply = send(change.request(), change.body());
            assertThat(reply.status()).as(reply.toString()).isBetween(200, 299);
            assertEntry(change);
        }
        assertThat(entries().toString()).doesNotContain("secret", "orderly_");
    }

    private void assertEntry(Change change) {
        AuditEntry entry = entries().getFirst();
        assertThat(entry.act().operation()).isEqualTo(change.operation());
        assertThat(entry.act().object()).startsWith(change.object());
        assertThat(String.valueOf(entry.act().before())).contains(change.before());
        assertThat(String.valueOf(entry.after())).contains(change.after());
        assertThat(entry.outcome()).isEqualTo(Outcome.DONE);
        assertThat(entry.act().kind().text()).isEqualTo("local");
        assertThat(entry.act().name()).isEqualTo(System.getProperty("user.name"));
        assertThat(entry.act().address()).isEqualTo("127.0.0.1");
    }

    @Test
    void thisTestKnowsEveryOperationThatChangesTheSystem() {
        assertThat(Stream.of(OperationSpec.values()).map(OperationSpec::id)
                .filter(operation -> !List
                        .of("beginBackup", "cancel", "claim", "reloadConfig", "redriveJob", "reveal", "runNow",
                                "sendEvent",
                                "pushAgain", "bulk",
                                "stopBulk", "drawValue")
                        .contains(operation))
                .collect(Collectors.toSet()))
                .isEqualTo(CHANGES.stream().map(Change::operation).collect(Collectors.toSet()));
    }

    /** Every change, by a viewer, who is refused, and by the server's own user, with hostile texts in path and body. */
    @Test
    void noDoorOfTheApiPutsAHiddenCharacterIntoAnEntry() {
        TokenSecret viewer = TokenSecret.random(new SecureRandom());
        node.access.create(new AccessToken(new TokenName("eve"), Role.VIEWER, Set.of(), Instant.EPOCH, null), viewer);
        String body = JsonMapper.shared().createObjectNode().put("action", "cancel").put("group", HostileTexts.all())
                .put("q", HostileTexts.all()).toString();
        for (OperationSpec change : OperationSpec.values()) {
            for (String text : List.of("\u001b[2J", "\u202e", "\u0085", "a\u2028b", "\u200b")) {
                String path = ApiEndpoints.BASE + change.path()
                        .replaceAll("\\{\\w+}", URLEncoder.encode(text, StandardCharsets.UTF_8));
                for (String token : List.of(viewer.text(), Node.LOCAL.text())) {
                    node.sendUnchecked(Node.at(node.api.port(), path).header("Authorization", "Bearer " + token)
                            .header("Content-Type", "application/json")
                            .method(change.method(), BodyPublishers.ofString(body)));
                }
            }
        }
        assertThat(entries()).hasSizeGreaterThan(10)
                .anyMatch(entry -> entry.act().object().contains("\\u001b[2J"))
                .noneMatch(entry -> HostileTexts.isHostile(entry.toString()));
    }

    @Test
    void aFloodOfFailedLoginsHasOneEntryOfItsAddressAndItsNumberAfterwards() {
        for (int n = 0; n < 5; n++) {
            assertThat(node.send(Node.at(node.api.port(), "/api/v1/queues").header("Authorization",
                    "Bearer " + TokenSecret.random(new SecureRandom()).text()).GET()).status()).isEqualTo(401);
        }
        AuditEntry entry = entries().getFirst();
        assertThat(entries()).hasSize(1);
        assertThat(entry.act().operation()).isEqualTo("login");
        assertThat(entry.act().name()).isEqualTo("?");
        assertThat(entry.act().address()).isEqualTo("127.0.0.1");
        assertThat(entry.outcome()).isEqualTo(Outcome.REFUSED);
        node.access.close();
        assertThat(entries().getFirst().after()).isEqualTo("4 tokens that do not count, since the entry before");
        assertThat(entries()).hasSize(2);
    }

    @Test
    void aViewAndAPushHaveNoEntryAndAFailedChangeHasItsReason() {
        send("GET /queues", "");
        node.post(node.atApi("/queues/emails/jobs"), "application/json", "1");
        send("POST /queues/nowhere/pause", "");
        assertThat(entries()).isEmpty();
        send("POST /schedules/digest/run", "");
        assertThat(send("POST /schedules/digest/run", "").status()).isEqualTo(409);
        assertThat(entries().getFirst().outcome()).isEqualTo(Outcome.FAILED);
        assertThat(entries().getFirst().after()).contains("has not ended");
    }

    @Test
    void theLogIsReadInPagesAndByConditions() {
        for (int n = 0; n < 3; n++) {
            send("POST /queues/emails/pause", "");
            send("POST /queues/tiny/resume", "");
        }
        Reply page = node.get("/audit?operation=pause&object=queue%20emails&limit=2");
        assertThat(page.json().path("entries").size()).isEqualTo(2);
        Reply rest = node.get("/audit?operation=pause&limit=2&before=" + page.json().path("next").asString());
        assertThat(rest.json().path("entries").size()).isEqualTo(1);
        assertThat(rest.json().path("next").isNull()).isTrue();
        assertThat(node.get("/audit?since=2100-01-01T00:00:00Z").json().path("entries").size()).isZero();
        assertThat(node.get("/audit?since=yesterday").detail()).contains("since").contains("2026");
        assertThat(node.get("/audit?before=x").status()).isEqualTo(400);
    }

    @Test
    void theRedriveOfOneJobIsAnEntryOfTheJobWhicheverDoorItCameBy() {
        String id = node.post(node.atApi("/queues/emails/jobs"), "application/json", "1").json().path("id").asString();
        send("POST /queues/emails/redrive", "{\"ids\":[\"" + id + "\"]}");
        assertThat(entries().getFirst().act().object()).isEqualTo("job " + id);
        assertThat(entries().getFirst().act().before()).isEqualTo("queue emails, state waiting");
        assertThat(entries().getFirst().after()).isEqualTo("redriven 0");
        Caller page = new Caller(new Identity(Kind.TOKEN, "ann", Role.OPERATOR), "::1", null).at("/jobs/" + id);
        assertThatThrownBy(() -> new Operations(new Targets(node.orderly, node.rooms), node.access.audit())
                .run(page, JobControl.cancel(id), "dead"))
                .isInstanceOf(OperationRefusedException.class)
                .hasMessageContaining(System.getProperty("user.name") + " made the last change (redrive) ");
    }
}
