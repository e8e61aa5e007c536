package dev.orderly.http.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.awaitility.Awaitility.await;

import dev.orderly.http.listener.HttpLimits;
import dev.orderly.http.user.Tokens;
import dev.orderly.live.LiveOptions;
import dev.orderly.live.Message;
import dev.orderly.user.UserId;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Refusal and loss of live connections. */
class LiveGuardsTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final byte[] NOTHING = {};

    private final LiveNode node = new LiveNode(
            LiveOptions.DEFAULT.withConnectionsPerUser(3).withConnectionsPerAddress(5), HttpLimits.DEFAULT);

    @AfterEach
    void close() {
        node.close();
    }

    @Test
    void withoutATokenInTimeTheConnectionIsClosed() {
        LiveClient silent = LiveClient.open(node);
        LiveClient known = node.tab("ann");

        node.time.advance(Duration.ofSeconds(9));
        node.users().to(new UserId("ann")).send("still here");
        known.awaitHeard("still here");
        assertThat(silent.code).isZero();
        node.time.advance(Duration.ofSeconds(2));

        assertThat(silent.awaitClosed()).isEqualTo(4401);
        assertThat(known.code).isZero();
    }

    @Test
    void aFirstMessageWithoutAValidTokenEndsTheConnection() {
        String expired = Tokens.of("ann", node.time.now().minusSeconds(60));
        for (String first : new String[]{"hello", "{}", "{\"token\":7}", "{\"token\":\"x.y.z\"}",
                "{\"token\":\"" + expired + "\"}", "{\"token\":\"" + node.token("ann") + "\",\"more\":1}"}) {
            assertThat(LiveClient.open(node).says(first).awaitClosed()).as(first).isEqualTo(4401);
        }
        assertThat(node.users().isOnline(new UserId("ann"))).isFalse();
    }

    @Test
    void aTokenBesideACookieMustBelongToTheSameUser() {
        LiveClient same = node.tab("ann").says("{\"token\":\"" + node.token("ann") + "\"}");
        LiveClient other = node.tab("ann").says("{\"token\":\"" + node.token("bob") + "\"}");

        same.awaitHeard("{\"orderly\":\"ready\"}");
        assertThat(other.awaitClosed()).isEqualTo(4401);
        assertThat(same.code).isZero();
    }

    @Test
    void aTokenIsATokenAtAnyTimeAndNeverAMessage() {
        List<String> received = new CopyOnWriteArrayList<>();
        node.users().onMessage(message -> {
            received.add(message.text());
            message.connection().send("got it");
        });
        LiveClient ann = node.tab("ann").says("hello");
        ann.awaitHeard("got it");
        node.time.advance(Duration.ofSeconds(30));
        String longer = Tokens.of("ann", node.time.now().plusSeconds(1_000));
        ann.says("{\"token\":\"" + longer + "\"}");
        ann.awaitHeard("{\"orderly\":\"ready\"}");
        LiveClient other = node.tab("ann").says("hello");
        other.awaitHeard("got it");
        node.time.advance(Duration.ofSeconds(2));
        other.says(" {\"t\\u006fken\" : \"" + node.token("bob") + "\"} ");
        assertThat(other.awaitClosed()).as("another user").isEqualTo(4401);
        assertThat(received).containsExactly("hello", "hello");
        assertThat(ann.code).isZero();
    }

    @Test
    void aFloodOfTokensEndsTheConnection() {
        LiveClient ann = node.tab("ann");
        try {
            for (int n = 0; n < 60; n++) {
                ann.says("{\"token\":\"" + node.token("ann") + "\"}");
            }
        } catch (CompletionException _) {
            // closed before the last one
        }
        assertThat(ann.awaitClosed()).isEqualTo(4429);
    }

    @Test
    void anInvalidBearerIsRefusedBeforeTheHandshakeAndAnInvalidCookieIsIgnored() {
        assertThat(LiveClient.refused(node, "Authorization", "Bearer x.y.z")).isEqualTo(401);
        LiveClient anonymous = LiveClient.open(node, "Cookie", "session=x.y.z")
                .says("{\"token\":\"" + node.token("ann") + "\"}");
        anonymous.awaitHeard("{\"orderly\":\"ready\"}");
    }

    @Test
    void aPageOfAnotherOriginMayNotConnectUnlessItIsListed() {
        String cookie = "session=" + node.token("ann");
        assertThat(LiveClient.refused(node, "Cookie", cookie, "Origin", "https://evil.example.com")).isEqualTo(403);
        assertThat(LiveClient.refused(node, "Cookie", cookie, "Origin", "null")).isEqualTo(403);
        assertThat(LiveClient.refused(node, "Cookie", cookie, "Origin", "http://127.0.0.1:1")).isEqualTo(403);
        assertThat(LiveClient.open(node, "Cookie", cookie, "Origin", LiveNode.ORIGIN).code).isZero();
        assertThat(LiveClient.open(node, "Cookie", cookie, "Origin", "http://127.0.0.1:" + node.edge.port()).code)
                .isZero();
        await().atMost(SOON).until(() -> node.users().connections(new UserId("ann")) == 2);
    }

    @Test
    void aUserWithTooManyConnectionsIsRefusedBeforeTheHandshakeOrWithTheToken() {
        node.tab("ann");
        node.tab("ann");
        LiveClient third = node.tab("ann");

        assertThat(LiveClient.refused(node, "Cookie", "session=" + node.token("ann"))).isEqualTo(429);
        LiveClient late = LiveClient.open(node).says("{\"token\":\"" + node.token("ann") + "\"}");
        assertThat(late.awaitClosed()).isEqualTo(4429);
        assertThat(late.heard).isEmpty();
        third.leaves();
        await().atMost(SOON).until(() -> node.users().connections(new UserId("ann")) == 2);
        assertThat(node.tab("ann").code).isZero();
    }

    @Test
    void anAddressFromATrustedProxyWithTooManyConnectionsIsRefused() {
        for (int n = 0; n < 5; n++) {
            LiveClient.open(node, "X-Forwarded-For", "192.0.2.1");
        }
        assertThat(LiveClient.refused(node, "X-Forwarded-For", "192.0.2.1")).isEqualTo(429);
        assertThat(LiveClient.open(node, "X-Forwarded-For", "192.0.2.2").code).isZero();
        node.time.advance(Duration.ofSeconds(11));
        await().atMost(SOON).until(() -> LiveClient.refused(node, "X-Forwarded-For", "192.0.2.1") == 101);
    }

    @Test
    void aMessageOf64KibIsAcceptedAndALargerMessageEndsTheConnectionWholeOrInFragments() {
        node.users().onMessage(message -> message.connection().send(message.bytes().length + " bytes"));
        LiveClient ann = node.tab("ann");
        ann.says("x".repeat(Message.MAX));
        ann.awaitHeard("65536 bytes");
        ann.says("y".repeat(40_000), false);
        ann.says("y".repeat(10_000), true);
        ann.awaitHeard("50000 bytes");
        ann.says("z".repeat(40_000), false);
        ann.says("z".repeat(40_000), false);
        assertThat(ann.awaitClosed()).isEqualTo(1009);

        try (LiveSocket raw = new LiveSocket(node, node.token("ann"))) {
            raw.frame(LiveSocket.TEXT, true, new byte[Message.MAX + 1]);
            assertThat(raw.closeCode()).isEqualTo(1009);
        }
    }

    @Test
    void invalidFramesEndTheConnectionWithTheReason() {
        try (LiveSocket raw = new LiveSocket(node, node.token("ann"))) {
            raw.frame(LiveSocket.TEXT, true, new byte[]{(byte) 0xc3, 0x28});
            assertThat(raw.closeCode()).as("no UTF-8").isEqualTo(1007);
        }
        try (LiveSocket raw = new LiveSocket(node, node.token("ann"))) {
            raw.frame(LiveSocket.CONTINUATION, true, NOTHING);
            assertThat(raw.closeCode()).as("a continuation without a start").isEqualTo(1002);
        }
        try (LiveSocket raw = new LiveSocket(node, node.token("ann"))) {
            raw.send(new byte[]{(byte) 0x81, 1, 'x'});
            assertThat(raw.closeCode()).as("no mask").isEqualTo(1002);
        }
        await().atMost(SOON).until(() -> !node.users().isOnline(new UserId("ann")));
    }

    @Test
    void aSilentClientIsPingedAndThenClosedWhileOthersStay() throws IOException {
        LiveClient ann = node.tab("ann");
        try (LiveSocket deaf = new LiveSocket(node, node.token("bob"))) {
            await().atMost(SOON).until(() -> node.users().isOnline(new UserId("bob")));
            node.time.advance(Duration.ofSeconds(26));
            assertThat(deaf.read().opcode()).as("that it is ready").isEqualTo(LiveSocket.TEXT);
            assertThat(deaf.read().opcode()).isEqualTo(LiveSocket.PING);
            await().atMost(SOON).until(() -> ann.pings.get() == 1);
            node.users().onMessage(message -> message.connection().send("pong came before"));
            ann.says("?").awaitHeard("pong came before");
            node.time.advance(Duration.ofSeconds(35));
            assertThat(deaf.closeCode()).isEqualTo(4408);
        }
        assertThat(ann.code).isZero();
        await().atMost(SOON).until(() -> {
            node.time.advance(Duration.ofSeconds(1));
            return !node.users().isOnline(new UserId("bob"));
        });
    }

    @Test
    void aSlowReaderIsCutAndOtherReadersStay() {
        LiveClient ann = node.tab("ann");
        try (LiveSocket slow = new LiveSocket(node, node.token("ann"))) {
            await().atMost(SOON).until(() -> node.users().connections(new UserId("ann")) == 2);
            byte[] much = new byte[Message.MAX];
            int sent = 0;
            while (node.users().connections(new UserId("ann")) == 2) {
                node.users().to(new UserId("ann")).send(much);
                int now = ++sent;
                await().atMost(SOON).until(() -> ann.bytes.size() == now);
                if (sent > 500) {
                    fail("The slow reader holds %s messages", sent);
                }
            }
            node.users().to(new UserId("ann")).send("still here");
            ann.awaitHeard("still here");
            assertThat(slow.closeCode()).isEqualTo(1006);
        }
    }

    @Test
    void aRequestThatIsNoLiveConnectionIsRefusedWithTheRemedy() throws IOException, InterruptedException {
        String path = "/.orderly/live";
        assertThat(node.client.send(node.at(path).GET().build(), BodyHandlers.ofString()).statusCode()).isEqualTo(400);
        HttpResponse<String> posted = node.client.send(node.at(path).POST(BodyPublishers.ofString("{}")).build(),
                BodyHandlers.ofString());
        assertThat(posted.statusCode()).isEqualTo(405);
        assertThat(posted.headers().firstValue("Allow")).hasValue("GET");
        assertThat(node.client.send(node.at("/.orderly/%6Cive").GET().build(), BodyHandlers.ofString()).statusCode())
                .isEqualTo(400);
        assertThat(node.client.send(node.at(path + "/more").GET().build(), BodyHandlers.ofString()).statusCode())
                .isEqualTo(404);
    }
}
