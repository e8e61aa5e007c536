package dev.orderly.web;

import dev.orderly.Orderly;
import dev.orderly.room.Limits;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.gate.Room;
import dev.orderly.room.gate.RoomEngine;
import dev.orderly.room.gate.RoomSignals;
import dev.orderly.room.token.RoomTokens;
import dev.orderly.room.token.TokenKeys;
import dev.orderly.testkit.MemoryStore;
import dev.orderly.testkit.contract.api.PublicApiContract;
import dev.orderly.time.Time;
import dev.orderly.web.edge.TrustedProxies;
import dev.orderly.web.path.RequestPattern;
import dev.orderly.web.room.GatedRoom;
import dev.orderly.web.room.RoomMatch;
import dev.orderly.web.room.WaitingStreams;
import dev.orderly.web.room.check.CheckPolicy;
import dev.orderly.web.room.check.CheckedVisitor;
import dev.orderly.web.room.check.JoinCheck;
import dev.orderly.web.room.log.LoggedAddress;
import dev.orderly.web.room.page.PageLook;
import dev.orderly.web.room.page.PageTemplate;
import dev.orderly.web.room.page.ShownOpening;
import dev.orderly.web.room.page.WaitingPage;
import dev.orderly.web.webhook.WebhookSecret;
import dev.orderly.web.webhook.WebhookSignature;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.AfterEach;

/** The public API of HTTP without a server. */
@NullMarked // its package has no file of its own
class WebApiTest extends PublicApiContract {
    private static final CheckPolicy CHECK = CheckPolicy.of(URI.create("http://127.0.0.1/check"));
    private static final HttpClient CLIENT = JoinCheck.newClient();

    private static final ZonedDateTime OPENS = ZonedDateTime.parse("2027-03-01T10:00+01:00[Europe/Berlin]");

    private final Orderly orderly = Orderly.open(new MemoryStore());

    WebApiTest() {
        super(RoomMatch.class, 60);
        RoomEngine rooms = new RoomEngine(new MemoryStore().rooms(),
                new RoomTokens(TokenKeys.of(List.of(new byte[32]))), Time.system());
        Room room = rooms.declare(new RoomName("sale"), RoomOptions.of(new Limits(1, null)), RoomSignals.none());
        WaitingPage page = new WaitingPage(room.name(), PageLook.titled("The sale"), PageTemplate.standard());
        GatedRoom gated = GatedRoom.of(room, RoomMatch.of("/**"), page);
        samples().with(rooms, room, page, gated, gated.match(), PageLook.titled("The sale"), PageTemplate.standard(),
                WaitingStreams.byDefault(), new LoggedAddress.Hashed(new byte[32]), TrustedProxies.of("10.0.0.0/8"),
                RequestPattern.parse("/**"), orderly.jobs(), Duration.ofMinutes(5), OPENS, ShownOpening.Change.NONE,
                new ShownOpening.Crowd(2, 1), CHECK, new CheckedVisitor("192.0.2.1", "GET", "a", "/", Map.of()), CLIENT,
                WebhookSecret.parse("A".repeat(32)), new JoinCheck(CHECK, List.of(), CLIENT, Time.system()),
                new WebhookSignature("a", "1", "v1,"), Time.system(), Instant.EPOCH);
        except("a part of the gate, which calls it", "dev.orderly.web.path.PathGlob",
                "dev.orderly.web.path.PathTemplate", "dev.orderly.web.path.QueryPattern",
                "dev.orderly.web.path.RequestPath", "dev.orderly.web.room.page.InvitationPage",
                "dev.orderly.web.room.page.MovePage",
                "dev.orderly.web.room.page.PageState", "dev.orderly.web.room.page.PageView",
                "dev.orderly.web.room.page.ShownLimits",
                "dev.orderly.web.room.page.ShownPosition", "dev.orderly.web.room.page.ShownWait");
        except("an answer: only Orderly makes it", "dev.orderly.web.room.log.VisitorEntry");
    }

    @AfterEach
    void close() {
        orderly.close();
    }
}
