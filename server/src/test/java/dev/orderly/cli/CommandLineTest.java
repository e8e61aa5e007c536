package dev.orderly.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.access.TokenSecret;
import dev.orderly.cli.terminal.Terminal;
import dev.orderly.server.OrderlyServer;
import dev.orderly.server.ServerInTest;
import dev.orderly.time.Time;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Map;
import org.jline.terminal.Size;
import org.jline.terminal.impl.ExternalTerminal;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.databind.json.JsonMapper;

/** The commands against a server in this process. */
class CommandLineTest {
    @TempDir
    private Path folder = Path.of("");
    private Path file = Path.of("");
    private int port;
    private @Nullable OrderlyServer server;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeEach
    void start() throws IOException {
        file = Files.writeString(folder.resolve("orderly.yaml"), """
                store: sqlite:orderly.db
                edge: { port: 0, host: 127.0.0.1, warm-up: 0s }
                admin: { port: 0 }
                queues: { emails: {}, orders.fifo: {} }
                routes: [ { post: /mail, queue: emails } ]
                schedules: { digest: { cron: daily at 07:30, queue: emails } }
                rooms: { sale: { match: [/mail], capacity: 20, rate: 5 per 15s,
                  tiers: [{ name: press, invitations: true, share: 5% }] } }
                """);
        server = ServerInTest.start(file);
        port = server.adminPort();
    }

    @AfterEach
    void stop() {
        if (server != null) {
            server.close();
        }
    }

    @Test
    void aPushPrintsTheIdOfTheJobAndAListShowsIt() throws IOException {
        assertThat(run("queue", "push", "emails", "{\"a\":1}", "--delay", "30s", "--priority", "1")).isZero();
        assertThat(out.toString().strip()).matches("[0-9a-f-]{36}");
        Path payload = Files.writeString(folder.resolve("payload.txt"), "from a file");
        assertThat(run("queue", "push", "emails", "@" + payload, "--content-type", "text/plain")).isZero();
        assertThat(runWith("[1, 2]", "queue", "push", "emails", "-")).isZero();
        assertThat(runWith("[1, 2]", "queue", "push", "emails")).isZero();

        out.getBuffer().setLength(0);
        assertThat(run("queue", "list")).isZero();
        assertThat(out.toString()).containsPattern("QUEUE +WAITING +DELAYED")
                .containsPattern("emails +3 +1 +0 +0 +0 +0.0 +no handler");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void aRepeatedPushOfAFifoJobPrintsTheFirstIdAndANote() {
        assertThat(run("queue", "push", "orders.fifo", "{}", "--group", "ada lovelace", "--dedupe", "1")).isZero();
        assertThat(run("queue", "push", "orders.fifo", "{}", "--group", "ada lovelace", "--dedupe", "1")).isZero();
        String[] ids = out.toString().strip().split("\\s+");
        assertThat(ids).hasSize(2);
        assertThat(ids[0]).isEqualTo(ids[1]);
        assertThat(err.toString()).contains("is there already");
    }

    @Test
    void aBatchIsOpenedFilledClosedAndCancelledByItsName() {
        assertThat(run("batch", "open", "import-42", "--queue", "emails", "{}")).isZero();
        assertThat(run("queue", "push", "emails", "--batch", "import-42", "{}")).isZero();
        assertThat(run("batch", "close", "import-42")).isZero();
        assertThat(run("queue", "push", "emails", "--batch", "import-42", "{}")).isEqualTo(Main.FAILED);
        assertThat(err.toString()).contains("Batch import-42 is closed");
        assertThat(run("batch", "cancel", "import-42")).isZero();
        assertThat(run("batch", "list")).isZero();
        assertThat(out.toString()).containsPattern("import-42 +(cancelled|finished) +1 +0 +0 ");
        assertThat(run("batch", "show", "nope")).isEqualTo(Main.FAILED);
    }

    @Test
    void invitationsAreRowsWithALinkWhoseFragmentIsTheCode() {
        assertThat(run("room", "invite", "sale", "--tier", "press", "--count", "2", "--expires", "24h", "--page",
                "https://shop.example/mail?a=b")).isZero();
        String[] rows = out.toString().split("\\R");
        assertThat(rows).hasSize(3);
        assertThat(rows[0]).isEqualTo("code,link,expires");
        String code = rows[1].substring(0, rows[1].indexOf(','));
        assertThat(rows[1]).matches("[\\w-]{38},https://shop.example/.orderly/rooms/sale/invitation"
                + "\\?back=%2Fmail%3Fa%3Db#" + code + ",20[0-9-]+T[0-9:]+Z");
        assertThat(rows[2]).doesNotContain(code);
        String said = err.toString();
        assertThat(said).contains("2 invitations to tier press, series ").doesNotContain(code);
        String series = said.substring(said.lastIndexOf(' ') + 1).strip();
        out.getBuffer().setLength(0);
        assertThat(run("room", "invitations", "sale", series)).isZero();
        assertThat(run("room", "invitations", "sale", series, "--revoke")).isZero();
        assertThat(out.toString()).contains("Series " + series + " of room sale: 0 used.",
                "0 used, the others revoked.");
    }

    @Test
    void anInvitationWithoutATierATimeOrASeriesIsRefusedWithTheRule() {
        assertThat(run("room", "invite", "sale", "--tier", "gold", "--expires", "24h")).isEqualTo(Main.FAILED);
        assertThat(run("room", "invite", "sale", "--tier", "press", "--expires", "91d")).isEqualTo(Main.FAILED);
        assertThat(run("room", "invite", "sale", "--tier", "press", "--count", "0", "--expires", "1h"))
                .isEqualTo(Main.FAILED);
        assertThat(run("room", "invitations", "sale", "press")).isEqualTo(Main.FAILED);
        assertThat(err.toString()).contains("has no tier gold with invitations: use press", "90 days",
                "0 invitations: use 1 to 10000", "is no series of invitations");
        assertThat(run("room", "invite", "sale", "--tier", "press", "--expires", "soon")).isEqualTo(Main.WRONG);
        assertThat(run("room", "invite", "sale", "--tier", "press", "--expires", "1h", "--page", "tickets"))
                .isEqualTo(Main.WRONG);
    }

    @Test
    void scriptsGetTheAnswerOfTheApiUnchanged() {
        assertThat(run("queue", "push", "emails", "{}", "--json")).isZero();
        assertThat(JsonMapper.shared().readTree(out.toString()).path("queue").asString()).isEqualTo("emails");
        out.getBuffer().setLength(0);
        assertThat(run("status", "--json")).isZero();
        assertThat(JsonMapper.shared().readTree(out.toString()).path("queues").size()).isEqualTo(2);
    }

    @Test
    void queuesArePausedResumedAndRedriven() {
        assertThat(run("queue", "pause", "emails")).isZero();
        assertThat(run("status")).isZero();
        assertThat(out.toString()).contains("ready").containsPattern("emails .*paused");
        assertThat(run("queue", "resume", "emails")).isZero();
        assertThat(run("queue", "dead", "emails")).isZero();
        assertThat(run("queue", "redrive", "emails", "--all")).isZero();
        assertThat(out.toString()).contains("runs again", "JOB", "0 jobs of queue emails wait again");
    }

    @Test
    void aReloadSaysWhatIsInForceAndWhatNeedsARestart() throws IOException {
        assertThat(run("config", "reload")).isZero();
        assertThat(out.toString()).contains("Nothing changed.");
        String before = Files.readString(file);
        Files.writeString(file, before.replace("emails: {}", "emails: { concurrency: 3 }") + "stop-grace: 1s\n");
        assertThat(run("config", "reload")).isZero();
        assertThat(out.toString()).contains("In force now: queues.emails", "only after a restart: stop-grace");
        Files.writeString(file, before.replace("capacity: 20", "capacity: none"));
        assertThat(run("config", "reload")).isOne();
        assertThat(err.toString()).contains("Nothing was changed", "rooms.sale.capacity");
    }

    @Test
    void aTokenIsCreatedUsedListedAndRevoked() throws IOException {
        assertThat(run("token", "create", "eve", "--role", "viewer", "--ends", "90d")).isZero();
        String token = out.toString().strip();
        assertThat(token).matches("orderly_[0-9A-Za-z]{49}");
        assertThat(err.toString()).contains("Token eve has the role viewer for all queues until", "not shown again");
        assertThat(run("queue", "list", "--token", token)).isZero();
        assertThat(run("queue", "pause", "emails", "--token", token)).isEqualTo(Main.FAILED);
        assertThat(err.toString())
                .contains("Operation pause needs the role operator, and token eve has the role viewer");
        Path kept = Files.writeString(folder.resolve("token"), token + "\n");
        assertThat(run("token", "create", "bob", "--role", "admin", "--token-file", kept.toString()))
                .isEqualTo(Main.FAILED);
        out.getBuffer().setLength(0);
        assertThat(run("token", "list")).isZero();
        assertThat(out.toString()).containsPattern("TOKEN +ROLE +QUEUES").containsPattern("eve +viewer +all")
                .doesNotContain(token);
        assertThat(run("token", "revoke", "eve")).isZero();
        assertThat(run("queue", "list", "--token", token)).isEqualTo(Main.FAILED);
        assertThat(err.toString()).contains("wrong, revoked or ended");
    }

    @Test
    void aMistypedTokenAndATokenWithoutEncryptionAreRefusedBeforeAnythingIsSent() {
        assertThat(run("queue", "list", "--token", "orderly_oops")).isEqualTo(Main.WRONG);
        assertThat(err.toString()).contains("incomplete or mistyped");
        String token = TokenSecret.random(new SecureRandom()).text();
        assertThat(Main.run(TestTerminal.of(out, err, Map.of("ORDERLY_TOKEN", token)), "queue", "list", "--url",
                "http://orderly.example:8081")).isEqualTo(Main.WRONG);
        assertThat(err.toString()).contains("without encryption");
    }

    @Test
    void theAuditLogShowsWhoChangedWhat() {
        assertThat(run("queue", "pause", "emails")).isZero();
        assertThat(run("queue", "resume", "emails")).isZero();
        out.getBuffer().setLength(0);
        assertThat(run("audit", "--object", "queue emails", "--limit", "1")).isZero();
        assertThat(out.toString()).containsPattern("AT +WHO +FROM +OPERATION +OBJECT +OUTCOME")
                .containsPattern("local \\S+ +127.0.0.1 +resume +queue emails +done +paused +running")
                .contains("There may be more: --before ").doesNotContain("pause  ");
    }

    @Test
    void schedulesAreListedAndRunByHand() {
        assertThat(run("schedule", "list")).isZero();
        assertThat(out.toString()).containsPattern("SCHEDULE +WHEN +ZONE +QUEUE +NEXT")
                .containsPattern("digest +daily at 07:30 +UTC +emails +[0-9-]+T07:30:00Z +- +- +-");
        assertThat(run("schedule", "run", "digest")).isZero();
        assertThat(out.toString()).containsPattern("Schedule digest runs: job [0-9a-f-]{36} of queue emails");
        assertThat(run("schedule", "run", "digest")).isEqualTo(Main.FAILED);
        assertThat(err.toString()).contains("of schedule digest has not ended");
        assertThat(run("schedule", "list")).isZero();
        assertThat(out.toString()).containsPattern("digest .* waiting +-");
    }

    @Test
    void aMessageInAnUnknownLanguageIsRefused() {
        assertThat(run("room", "message", "sale", "--in", "german=x")).isEqualTo(1);
        assertThat(err.toString()).contains("\"german\" is no known language");
    }

    @Test
    void roomsAreListedShownAndOperated() {
        assertThat(run("room", "list")).isZero();
        assertThat(out.toString()).containsPattern("ROOM +MODE +WAITING")
                .containsPattern("sale +auto +0 +0 +0 +5 +0 +no");
        assertThat(run("room", "show", "sale")).isZero();
        assertThat(out.toString()).contains("capacity 20, rate 5 per 15s", "new visitors", "0 waiting");
        assertThat(run("room", "front", "sale")).as(err.toString()).isZero();
        assertThat(out.toString()).containsPattern("TICKET NO. +STATE +PAGE");
        assertThat(run("room", "front", "sale", "--limit", "0")).isEqualTo(Main.FAILED);
        assertThat(run("room", "places", "sale")).as(err.toString()).isZero();
        assertThat(out.toString()).contains("Nobody has taken a place of room sale");
        Path page = folder.resolve("report.html");
        Path table = folder.resolve("report.csv");
        assertThat(run("room", "report", "sale", "--from", "2h", "--html", page.toString(), "--csv", table.toString()))
                .as(err.toString()).isZero();
        assertThat(out.toString()).containsPattern("Room sale, .* to ").containsPattern("arrivals +0")
                .containsPattern("wait p95 +-");
        assertThat(page).content().contains("<h1>Room sale, ", "</svg>");
        assertThat(table).content().startsWith("at,arrivals,entered,");
        assertThat(run("room", "report", "sale", "--from", "monday")).isEqualTo(Main.WRONG);
        assertThat(run("room", "report", "sale", "--from", "2026-03-01T10:00", "--to", "2026-03-01T09:00"))
                .isEqualTo(Main.FAILED);
        assertThat(err.toString()).contains("use a day and a time", "up to 100 days");
        err.getBuffer().setLength(0);
        assertThat(run("room", "hold", "sale")).isZero();
        assertThat(run("room", "admit", "sale", "3")).isZero();
        assertThat(run("room", "message", "sale", "Back at ten.")).isZero();
        assertThat(run("room", "message", "sale", "Back soon.", "--in", "de=Gleich geht's weiter.")).isZero();
        assertThat(run("room", "message", "sale")).isZero();
        assertThat(run("room", "epoch", "sale", "--yes")).isZero();
        assertThat(run("room", "revoke", "sale", "AAAAAAAAAAAAAAAAAAAAAA")).isZero();
        assertThat(run("room", "auto", "sale")).isZero();
        assertThat(out.toString()).contains("is in mode hold. Back", "3 visitors of room sale may enter",
                "read: Back at ten.", "  de: Gleich geht's weiter.", "has no message now",
                "new line, number 2", "are void", "is in mode auto.");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void theLimitsOfARoomAreOverriddenAndRestored() {
        assertThat(run("room", "limit", "sale", "--capacity", "7", "--rate", "1 per 1m")).isZero();
        assertThat(out.toString())
                .contains("Room sale admits by capacity 7, rate 1 per 1m within a second",
                        "configured is capacity 20, rate 5 per 15s.");
        assertThat(run("room", "limit", "sale", "--rate", "configured")).isZero();
        assertThat(out.toString()).contains("admits by capacity 7, rate 5 per 15s within");
        assertThat(run("room", "limit", "sale", "--capacity", "configured")).isZero();
        assertThat(out.toString()).contains("admits by capacity 20, rate 5 per 15s within");
        assertThat(run("room", "limit", "sale", "--capacity", "none")).isEqualTo(Main.WRONG);
        assertThat(err.toString()).contains("--capacity is not a whole number");
    }

    @Test
    void oneJobIsShownAndCancelled() {
        assertThat(run("queue", "push", "emails", "{\"to\":\"ada\"}")).isZero();
        String id = out.toString().strip();
        assertThat(run("job", "show", id)).isZero();
        assertThat(out.toString()).containsPattern("state +waiting").containsPattern("queue +emails")
                .contains("{\"to\":\"ada\"} (application/json)");
        assertThat(run("job", "cancel", id)).isZero();
        assertThat(out.toString()).contains("Job " + id + " is cancelled.");
        assertThat(run("job", "cancel", id)).isEqualTo(Main.FAILED);
        assertThat(err.toString()).contains("has ended already");
        assertThat(run("job", "show", "nope")).isEqualTo(Main.FAILED);
    }

    @Test
    void aNewLineNeedsAConfirmation() {
        assertThat(run("room", "epoch", "sale")).isEqualTo(Main.WRONG);
        assertThat(err.toString()).contains("--yes");
        assertThat(run("room", "show", "sale", "--json")).isZero();
        assertThat(JsonMapper.shared().readTree(out.toString()).path("epoch").asInt()).isEqualTo(1);
        assertThat(run("room", "admit", "sale", "-5")).isNotZero();
        assertThat(run("room", "hold", "nope")).isEqualTo(Main.FAILED);
        assertThat(err.toString()).contains("Room nope is not declared here");
    }

    @Test
    void aRefusalOfTheServerIsPrintedInItsWordsAndFails() {
        assertThat(run("queue", "push", "orders.fifo", "{}")).isEqualTo(Main.FAILED);
        assertThat(err.toString()).contains("orders.fifo", "group").doesNotContain("\tat ");
        assertThat(run("queue", "pause", "nope")).isEqualTo(Main.FAILED);
        assertThat(err.toString()).contains("nope", "does not exist");
    }

    @Test
    void withoutAServerTheAddressAndTheRemedyArePrinted() {
        stop();
        assertThat(run("status")).isEqualTo(Main.FAILED);
        assertThat(err.toString()).contains("Nothing answers at http://127.0.0.1:" + port, "orderly serve", "--url")
                .doesNotContain("\tat ");
    }

    @Test
    void theAddressCanComeFromTheServersConfiguration() throws IOException {
        Path same = Files.writeString(folder.resolve("same.yaml"),
                "store: sqlite:orderly.db\nadmin: { port: " + port + " }\n");
        assertThat(run("status", "--config", same.toString())).isZero();
        assertThat(run("status", "--config", file.toString())).isEqualTo(Main.WRONG);
        assertThat(err.toString()).contains("any free port", "--url");
    }

    @Test
    void withoutATerminalTopPrintsOnePictureOfQueuesRoomsAndNodes() {
        assertThat(run("queue", "push", "emails", "{}")).isZero();
        assertThat(run("top")).isZero();
        assertThat(out.toString()).contains("orderly top   http://127.0.0.1:" + port, "queues by age")
                .containsPattern("emails +[0-9]+ m?s +1 +0 +0 +0 +0.0 +- +no handler here")
                .containsPattern("sale +auto +0 +0 +0 +5 +0 ").containsPattern(" \\* .* running +0 ");
        assertThat(run("node", "list")).isZero();
        assertThat(out.toString())
                .containsPattern("NODE +HOST +VERSION +STATE +RUNNING +CPU +HEAP +STARTED +LAST REPORT");
        assertThat(run("top", "--every", "1ms")).isEqualTo(Main.WRONG);
        assertThat(err.toString()).contains("--every is \"1ms\": use a time of 250ms or more");
    }

    @Test
    void onATerminalTopDrawsAgainUntilAKeyEndsIt() throws IOException {
        ByteArrayOutputStream screen = new ByteArrayOutputStream();
        Terminal person = new Terminal(InputStream.nullInputStream(), new PrintWriter(out, true),
                new PrintWriter(err, true), TestTerminal.environment("http://127.0.0.1:" + port, file), true);
        TopCommand top = new TopCommand(person, Time.system(), () -> {
            var drawn = new ExternalTerminal("test", "xterm-256color",
                    new ByteArrayInputStream("s pq".getBytes(StandardCharsets.UTF_8)), screen, StandardCharsets.UTF_8);
            drawn.setSize(new Size(120, 30));
            return drawn;
        });
        assertThat(new CommandLine(top).execute("--every", "1m")).isZero();
        assertThat(screen.toString(StandardCharsets.UTF_8))
                .contains("orderly top", "emails", "sale", "paused: p goes on")
                .containsPattern("(?s)\u001b\\[\\?1049h.*\u001b\\[\\?1049l");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void whyNamesTheCauseAndPushAgainNeedsADeadLetter() {
        assertThat(run("queue", "push", "emails", "{}")).isZero();
        String id = out.toString().strip();
        assertThat(run("why", "job", id)).isZero();
        assertThat(out.toString()).contains("This node has no handler of queue emails", "queues.emails.handler");
        out.getBuffer().setLength(0);
        assertThat(run("why", "job", id, "--json")).isZero();
        assertThat(JsonMapper.shared().readTree(out.toString()).path("cause").asString()).isEqualTo("no-handler");
        assertThat(run("job", "push-again", id)).isEqualTo(Main.FAILED);
        assertThat(err.toString()).contains("is waiting: only a dead letter");
        assertThat(run("why", "batch", "import-42")).isZero();
        assertThat(out.toString()).contains("Batch import-42 is not kept", "Check the name");
        assertThat(run("why", "visitor", "458", "--room", "sale")).isZero();
        assertThat(out.toString()).contains("nobody has place 458");
        assertThat(run("why", "visitor", "458")).isEqualTo(Main.WRONG);
        assertThat(err.toString()).contains("add --room ROOM");
        assertThat(run("why", "visitor", "no-ticket")).isEqualTo(Main.WRONG);
        assertThat(err.toString()).contains("This is no ticket");
    }

    private int run(String... arguments) {
        return runWith("", arguments);
    }

    private int runWith(String input, String... arguments) {
        return Main.run(TestTerminal.of(input, out, err,
                TestTerminal.environment("http://127.0.0.1:" + port, file)), arguments);
    }
}
