package dev.orderly.testkit.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orderly.Orderly;
import dev.orderly.job.JobView;
import dev.orderly.job.StandardQueue;
import dev.orderly.job.engine.EngineOptions;
import dev.orderly.live.CloseCode;
import dev.orderly.live.LiveOptions;
import dev.orderly.live.Message;
import dev.orderly.testkit.ManualTime;
import dev.orderly.testkit.MemoryStore;
import dev.orderly.testkit.resilience.Computation;
import dev.orderly.user.UserId;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** The handling of messages from users. */
class LiveMessagesTest {
    private final ManualTime time = new ManualTime();
    private final Orderly orderly = Orderly.open(new MemoryStore(),
            EngineOptions.defaults().withTime(time).withStopGrace(Duration.ZERO),
            LiveOptions.DEFAULT.withMessages(20, Duration.ofSeconds(1)));

    record Move(int x) {}

    @AfterEach
    void close() {
        orderly.close();
    }

    @Test
    void aHandlerSeesSenderAndContentAndAnswersOnThatConnectionOnly() {
        orderly.users().onMessage(message -> message.connection().send(message.user() + " moves "
                + message.json(Move.class).x() + " over " + message.connection().id()));
        Tab.Open one = Tab.of(orderly.engines().live(), "ann");
        Tab.Open other = Tab.of(orderly.engines().live(), "ann");

        one.says("{\"x\":3}");

        await().until(() -> one.tab().heard.contains("ann moves 3 over ann's"));
        assertThat(other.tab().heard).isEmpty();
    }

    @Test
    void aMessageOfAGenericTypeIsReadAsThatType() {
        orderly.users().onMessage(message -> message.connection()
                .send("to " + message.json(new TypeReference<List<Move>>() {
                }).getLast().x()));
        Tab.Open ann = Tab.of(orderly.engines().live(), "ann");

        ann.says("[{\"x\":3},{\"x\":4}]");

        await().until(() -> ann.tab().heard.contains("to 4"));
    }

    @Test
    void anArrayThatIsSentMayBeChangedAfterwards() {
        byte[] bytes = {1, 2};
        Message message = Message.of(bytes, JsonMapper.shared());
        bytes[0] = 7;
        assertThat(message.bytes()).containsExactly(1, 2);
    }

    @Test
    void handlersThatComputeDelayNoOtherWork() {
        try (Computation computation = Computation.onAllCores()) {
            orderly.users().onMessage(message -> computation.run());
            for (int n = computation.count(); n > 0; n--) {
                Tab.of(orderly.engines().live(), "user-" + n).says("compute");
            }
            await().until(computation::hasBegun);
            CountDownLatch request = new CountDownLatch(1);
            Thread.ofVirtual().start(request::countDown);
            await().until(() -> request.getCount() == 0);
        }
    }

    @Test
    void messagesOfOneConnectionAreHandledInOrderOneAtATime() {
        List<String> seen = new CopyOnWriteArrayList<>();
        orderly.users().onMessage(message -> {
            String text = message.text();
            seen.add(text);
            Thread.onSpinWait();
            seen.add(text);
        });
        Tab.Open ann = Tab.of(orderly.engines().live(), "ann");

        List<String> sent = IntStream.range(0, 30).mapToObj(n -> "message " + n).toList();
        sent.forEach(ann::says);

        await().until(() -> seen.size() == 60);
        assertThat(seen).isEqualTo(sent.stream().flatMap(text -> List.of(text, text).stream()).toList());
    }

    @Test
    void aJobPushedInTheHandlerBelongsToTheUser() {
        StandardQueue<String> queue = orderly.queue("orders", String.class);
        orderly.users().onMessage(message -> {
            var id = queue.push(message.text());
            assertThat(Orderly.current()).isSameAs(orderly);
            message.connection().send(id.toString());
        });
        Tab.Open ann = Tab.of(orderly.engines().live(), "ann");

        ann.says("seat 7");

        await().until(() -> ann.tab().heard.size() == 1);
        JobView job = orderly.jobs().find(dev.orderly.job.JobId.parse(ann.tab().heard.getFirst())).orElseThrow();
        assertThat(job.user()).isEqualTo(new UserId("ann"));
    }

    @Test
    void aFailureOfAHandlerIsReportedWithoutItsReasonAndTheNextMessageIsHandled() {
        orderly.users().onMessage(message -> {
            if (message.text().equals("bad")) {
                throw new IllegalStateException("the password is 1234");
            }
            message.connection().send("fine");
        });
        Tab.Open ann = Tab.of(orderly.engines().live(), "ann");

        ann.says("bad");
        ann.says("good");

        await().until(() -> ann.tab().heard.contains("fine"));
        assertThat(ann.tab().heard).containsExactly("{\"error\":\"The message could not be handled\"}", "fine");
    }

    @Test
    void aHandlerThatExceedsItsTimeoutIsInterruptedAndReportedOnce() {
        BlockingQueue<String> interrupted = new LinkedBlockingQueue<>();
        orderly.users().onMessage(message -> {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                interrupted.add(message.text());
                throw e;
            }
        });
        Tab.Open ann = Tab.of(orderly.engines().live(), "ann");
        ann.says("slow");

        await().until(() -> {
            time.advance(Duration.ofSeconds(1));
            return interrupted.contains("slow");
        });
        ann.says("{}");
        await().until(() -> {
            time.advance(Duration.ofSeconds(1));
            return ann.tab().heard.size() == 2;
        });
        assertThat(ann.tab().heard).allMatch(text -> text.contains("not be handled in time"));
    }

    @Test
    void withoutAHandlerTheSenderGetsAnError() {
        Tab.Open ann = Tab.of(orderly.engines().live(), "ann");

        ann.says("hello?");

        await().until(() -> ann.tab().heard.contains("{\"error\":\"This server handles no messages\"}"));
        orderly.users().onMessage(_ -> {});
        assertThatThrownBy(() -> orderly.users().onMessage(_ -> {})).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void twiceTheRateIsAcceptedAtOnceMoreIsRefusedAndAFloodEndsTheConnection() {
        List<String> seen = new CopyOnWriteArrayList<>();
        orderly.users().onMessage(message -> seen.add(message.text()));
        Tab.Open ann = Tab.of(orderly.engines().live(), "ann");
        says(ann, 20, seen);
        says(ann, 20, seen);

        ann.says("too fast");
        assertThat(ann.tab().heard).singleElement().asString().contains("too fast");
        time.advance(Duration.ofMillis(50));
        ann.says("paced");
        await().until(() -> seen.contains("paced"));
        assertThat(ann.tab().closed).isNull();
        for (int n = 0; n < 41; n++) {
            ann.says("flood");
        }
        assertThat(ann.tab().closed).isEqualTo(CloseCode.TOO_MANY);
        assertThat(seen).doesNotContain("flood", "too fast");
    }

    @Test
    void theConnectionsOfAUserShareARateAndTheUsersOfAnAddressShareTenRates() {
        List<String> seen = new CopyOnWriteArrayList<>();
        orderly.users().onMessage(message -> seen.add(message.text()));
        Tab.Open phone = Tab.of(orderly.engines().live(), "user0");
        Tab.Open laptop = Tab.of(orderly.engines().live(), "user0");
        says(phone, 20, seen);
        says(laptop, 20, seen);
        phone.says("too fast");
        laptop.says("too fast");
        assertThat(phone.tab().heard).singleElement().asString().contains("too fast");
        assertThat(laptop.tab().heard).singleElement().asString().contains("too fast");

        for (int n = 1; n < 10; n++) {
            Tab.Open other = Tab.of(orderly.engines().live(), "user" + n);
            says(other, 20, seen);
            says(other, 20, seen);
            assertThat(other.tab().heard).isEmpty();
        }
        Tab.Open eleventh = Tab.of(orderly.engines().live(), "user10");
        eleventh.says("too fast");
        assertThat(eleventh.tab().heard).singleElement().asString().contains("too fast");
        assertThat(seen).hasSize(400).doesNotContain("too fast");
    }

    /** Sends fewer messages than may wait, and waits until all are handled. */
    private static void says(Tab.Open tab, int messages, List<String> seen) {
        int before = seen.size();
        for (int n = 0; n < messages; n++) {
            tab.says("m" + n);
        }
        await().pollInterval(Duration.ofMillis(2)).until(() -> seen.size() == before + messages);
    }

    @Test
    void whileAHandlerIsBusyABoundedNumberWaits() {
        CountDownLatch go = new CountDownLatch(1);
        List<String> seen = new CopyOnWriteArrayList<>();
        orderly.users().onMessage(message -> {
            go.await();
            seen.add(message.text());
        });
        Tab.Open ann = Tab.of(orderly.engines().live(), "ann");
        for (int n = 0; n < 40; n++) {
            ann.says("m" + n);
        }
        assertThat(ann.tab().heard).hasSizeBetween(7, 8).allMatch(text -> text.contains("too fast"));
        go.countDown();
        await().until(() -> seen.size() == 40 - ann.tab().heard.size());
    }
}
