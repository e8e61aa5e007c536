package dev.orderly.servlet.room;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.room.ProofOfWork;
import dev.orderly.servlet.Container;
import dev.orderly.servlet.RoomApp;
import dev.orderly.testkit.sim.WorkSolver;
import dev.orderly.time.Time;
import dev.orderly.web.browser.Guest;
import dev.orderly.web.room.check.CheckPolicy;
import dev.orderly.web.room.check.CheckProgram;
import dev.orderly.web.room.check.JoinCheck;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Visitors of a room inside an application are checked as at the edge. */
@ParameterizedClass
@EnumSource(Container.Kind.class)
class RoomCheckTest {
    private final CheckProgram program = new CheckProgram();
    private final HttpClient client = JoinCheck.newClient();
    private final RoomApp app;

    RoomCheckTest(Container.Kind kind) {
        app = new RoomApp(kind, "/shop", new JoinCheck(CheckPolicy.of(program.url())
                .withWhen(CheckPolicy.When.ALWAYS).withTimeout(Duration.ofSeconds(5)), List.of(), client,
                Time.system()));
    }

    @AfterEach
    void close() {
        program.close();
        app.close();
        client.shutdownNow();
    }

    @Test
    void aRefusedVisitorReachesNothing() {
        program.answers("{\"verdict\":\"refuse\"}");
        assertThat(new Guest(app).get("/tickets/1").statusCode()).isEqualTo(403);
        assertThat(app.reached).isEmpty();
        assertThat(program.questions.getFirst().json().path("path").asString()).isEqualTo("/tickets/1");
    }

    @Test
    void aSlowedVisitorEntersAfterTheWait() {
        program.answers("{\"verdict\":\"slow\",\"seconds\":20}");
        Guest guest = new Guest(app);
        HttpResponse<String> first = guest.get("/tickets/1");
        assertThat(first.statusCode()).isEqualTo(429);
        assertThat(first.headers().firstValue("Retry-After")).hasValue("20");
        app.pass(20);
        assertThat(guest.get("/tickets/1").statusCode()).isEqualTo(200);
        assertThat(program.questions).hasSize(1);
    }

    @Test
    void aVisitorOfACrowdedNetworkGetsThePlaceByWork() {
        app.room().change(app.room().options().withProofOfWork(new ProofOfWork(1, Duration.ofSeconds(30), 1_000)));
        program.close();
        Guest.inside(app);
        Guest guest = new Guest(app);
        HttpResponse<String> asked = guest.get("/tickets/1");
        assertThat(asked.statusCode()).isEqualTo(429);
        String payload = WorkSolver.solve(Guest.json(asked).path("challenge").toString());
        HttpResponse<String> placed = guest.send(app.at("/.orderly/rooms/sale/ticket")
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString("altcha=" + URLEncoder.encode(payload, StandardCharsets.UTF_8))));
        assertThat(placed.statusCode()).isEqualTo(201);
        assertThat(guest.call("GET", "ticket").statusCode()).isEqualTo(200);
    }
}
