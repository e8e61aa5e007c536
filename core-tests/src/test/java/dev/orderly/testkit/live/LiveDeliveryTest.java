package dev.orderly.testkit.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orderly.Orderly;
import dev.orderly.flow.Lifecycle;
import dev.orderly.flow.Quota;
import dev.orderly.job.StandardQueue;
import dev.orderly.live.CloseCode;
import dev.orderly.live.LiveEngine;
import dev.orderly.live.LiveOptions;
import dev.orderly.live.Message;
import dev.orderly.live.OnlineUser;
import dev.orderly.live.OpenConnection;
import dev.orderly.live.Users;
import dev.orderly.testkit.ManualTime;
import dev.orderly.testkit.MemoryStore;
import dev.orderly.user.UserId;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** The delivery of messages. */
class LiveDeliveryTest {
    private final Lifecycle life = new Lifecycle();
    private final LiveEngine live = new LiveEngine(LiveOptions.DEFAULT.withConnectionsPerUser(2)
            .withConnectionsPerAddress(3), new ManualTime(), JsonMapper.shared(), life);
    private final Users users = live.users();

    @Test
    void aMessageReachesAllDevicesOfItsUserAndNoOtherUser() {
        Tab phone = Tab.of(live, "ann").tab();
        Tab desk = Tab.of(live, "ann").tab();
        Tab bob = Tab.of(live, "bob").tab();

        users.to(new UserId("ann")).send(Map.of("seat", 7));

        assertThat(phone.heard).containsExactly("{\"seat\":7}");
        assertThat(desk.heard).containsExactly("{\"seat\":7}");
        assertThat(bob.heard).isEmpty();
    }

    @Test
    void theConnectedUsersAreListedInPagesWithTheirConnections() {
        for (String id : List.of("cal", "ann", "bob", "ann")) {
            Tab.of(live, id).tab();
        }
        assertThat(users.onlineHere(null, 2)).containsExactly(new OnlineUser(new UserId("ann"), 2),
                new OnlineUser(new UserId("bob"), 1));
        assertThat(users.onlineHere(new UserId("bob"), 2)).containsExactly(new OnlineUser(new UserId("cal"), 1));
        assertThat(users.connectionsHere(new UserId("ann"))).hasSize(2).extracting(OpenConnection::transport)
                .containsOnly("other");
        assertThat(users.connectionsHere(new UserId("nobody"))).isEmpty();
        assertThat(live.onlineHere()).isEqualTo(3);
    }

    @Test
    void textIsTextBytesAreBytesAndOtherValuesAreJsonEncodedOnce() {
        Tab ann = Tab.of(live, "ann").tab();
        Tab bob = Tab.of(live, "bob").tab();

        users.to(new UserId("ann"), new UserId("bob")).send("grüße");
        users.to(new UserId("ann"), new UserId("bob")).send(new byte[]{1, 2});
        users.to(new UserId("ann"), new UserId("bob")).send(List.of(1));

        assertThat(ann.messages).hasExactlyElementsOfTypes(Message.Text.class, Message.Bytes.class, Message.Json.class);
        assertThat(ann.heard.getFirst()).isEqualTo("grüße");
        assertThat(ann.messages.getLast()).isSameAs(bob.messages.getLast());
    }

    @Test
    void aMessageNames1To100UsersAndAUserNamedTwiceCountsOnce() {
        Tab ann = Tab.of(live, "ann").tab();

        users.to(Collections.nCopies(101, new UserId("ann"))).send("once");
        users.to(IntStream.range(0, 100).mapToObj(n -> new UserId(n == 0 ? "ann" : "user " + n)).toList())
                .send("hundred");

        assertThat(ann.heard).containsExactly("once", "hundred");
        assertThatThrownBy(() -> users.to(IntStream.range(0, 101).mapToObj(n -> new UserId("user " + n)).toList()))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("101")
                .hasMessageContaining("1 to 100");
        assertThatThrownBy(users::to).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void anInvalidOrTooLargeMessageIsRefusedAndReachesNoUser() {
        Tab ann = Tab.of(live, "ann").tab();

        assertThatThrownBy(() -> users.to(new UserId("ann")).send(endless()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> users.to(new UserId("ann")).send(new byte[Message.MAX + 1]))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("65537");
        users.to(new UserId("ann")).send(new byte[Message.MAX]);

        assertThat(ann.messages).hasSize(1);
    }

    @Test
    void halfASurrogatePairIsRefusedAndReachesNoUser() {
        Tab.Open ann = Tab.of(live, "ann");
        for (String half : List.of("a\ud83c", "a\udfabb", "a\ud83c\ud83c\udfab")) {
            assertThatThrownBy(() -> users.to(new UserId("ann")).send(half))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("The live message has half a surrogate pair at 2: use whole Unicode");
        }
        assertThat(ann.tab().messages).isEmpty();
        users.to(new UserId("ann")).send("\ud83c\udfab\uffff\u0000");
        users.to(new UserId("ann")).send(List.of("a\ud83c"));
        assertThat(ann.tab().heard.getFirst()).isEqualTo("\ud83c\udfab\uffff\u0000");
        assertThat(JsonMapper.shared().readTree(ann.tab().heard.getLast()).get(0).asString())
                .as("JSON escapes half a surrogate pair").isEqualTo("a\ud83c");
    }

    private static Object endless() {
        List<Object> list = new ArrayList<>();
        list.add(list);
        return list;
    }

    @Test
    void theConnectionsOfAUserAreLimitedAndAClosedConnectionFreesASlot() {
        Tab.Open first = Tab.of(live, "ann");
        Tab.of(live, "ann");

        assertThat(Tab.connect(live, "ann", new Tab("third"))).isEmpty();
        assertThat(Tab.connect(live, "bob", new Tab("another's"))).isPresent();
        first.session().closed();
        first.session().closed();
        assertThat(users.connections(new UserId("ann"))).isEqualTo(1);
        assertThat(Tab.connect(live, "ann", new Tab("third"))).isPresent();
    }

    @Test
    void theConnectionsOfAnAddressAreLimited() {
        for (int n = 0; n < 3; n++) {
            assertThat(live.enter("here")).isEqualTo(Quota.Taken.TAKEN);
        }
        assertThat(live.enter("here")).isEqualTo(Quota.Taken.HOLDER_FULL);
        assertThat(live.enter("there")).isEqualTo(Quota.Taken.TAKEN);
        live.leave("here");
        assertThat(live.enter("here")).isEqualTo(Quota.Taken.TAKEN);
    }

    @Test
    void aStoppingNodeClosesAllConnectionsAndAcceptsNone() {
        Tab ann = Tab.of(live, "ann").tab();

        life.end();

        assertThat(ann.closed).isEqualTo(CloseCode.STOPPING);
        assertThat(Tab.connect(live, "bob", new Tab("late"))).isEmpty();
        assertThat(users.isOnline(new UserId("bob"))).isFalse();
    }

    @Test
    void aJobSendsToItsUserIfItHasAUser() {
        try (Orderly orderly = Orderly.open(new MemoryStore())) {
            StandardQueue<String> queue = orderly.queue("orders", String.class);
            orderly.handle(queue, (text, job) -> {
                job.send(Map.of("status", text));
                Orderly.current().users().to(new UserId("ann")).send("also " + text);
            });
            orderly.start();
            Tab ann = Tab.of(orderly.engines().live(), "ann").tab();
            Tab bob = Tab.of(orderly.engines().live(), "bob").tab();

            queue.user(new UserId("ann")).push("shipped");
            queue.push("lost");

            await().until(() -> ann.heard.size() == 3);
            assertThat(ann.heard).containsExactlyInAnyOrder("{\"status\":\"shipped\"}", "also shipped", "also lost");
            assertThat(bob.heard).isEmpty();
        }
    }

    @Test
    void aMessageOfAClientIsJsonOnlyIfItIsASingleDocument() {
        for (String json : List.of("{}", " [1]", "{\"a\":{}}\n")) {
            assertThat(Message.ofText(json.getBytes(StandardCharsets.UTF_8))).isInstanceOf(Message.Json.class);
        }
        for (String text : List.of("", "1", "\"a\"", "{", "{}{}", "[1] x", "null", "\0{}", "[".repeat(5_000))) {
            assertThat(Message.ofText(text.getBytes(StandardCharsets.UTF_8))).isInstanceOf(Message.Text.class);
        }
    }
}
