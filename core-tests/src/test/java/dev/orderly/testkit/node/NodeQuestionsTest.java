package dev.orderly.testkit.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orderly.Store;
import dev.orderly.flow.Lifecycle;
import dev.orderly.job.NodeId;
import dev.orderly.node.NodeAnswers;
import dev.orderly.node.NodeDirectory;
import dev.orderly.node.NodeQuestions;
import dev.orderly.node.NodeStatus;
import dev.orderly.store.Bus;
import dev.orderly.testkit.ManualTime;
import dev.orderly.testkit.MemoryStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.StringNode;

/** Questions between nodes on one memory store, by a clock that the test moves. */
@Timeout(120)
class NodeQuestionsTest {
    private final ManualTime time = new ManualTime();
    private final MemoryStore first = new MemoryStore(time);
    private final Store second = first.beside();
    private final Lifecycle lifeOfOne = new Lifecycle();
    private final Lifecycle lifeOfTwo = new Lifecycle();
    private final NodeDirectory one = new NodeDirectory(new NodeId("one"), first.bus(), time, "1.0", new IdleNode(),
            lifeOfOne);
    private final NodeDirectory two = new NodeDirectory(new NodeId("two"), second.bus(), time, "1.0", new IdleNode(),
            lifeOfTwo);
    private final AtomicInteger asked = new AtomicInteger();
    private final CountDownLatch held = new CountDownLatch(1);

    @BeforeEach
    void start() {
        lifeOfOne.start();
        lifeOfTwo.start();
        soon().until(() -> one.nodes().size() == 2 && two.nodes().size() == 2
                && one.nodes().stream().noneMatch(node -> node.report().host().isEmpty()));
    }

    @AfterEach
    void close() {
        held.countDown();
        lifeOfOne.end();
        lifeOfTwo.end();
        second.close();
        first.close();
    }

    private static ConditionFactory soon() {
        return await().atMost(Duration.ofSeconds(60));
    }

    private static JsonNode text(String text) {
        return StringNode.valueOf(text);
    }

    private JsonNode greeting(JsonNode question) {
        asked.incrementAndGet();
        return text("hello " + question.asString());
    }

    @Test
    void everyOtherNodeAnswersByItsName() {
        two.questions().answer("greeting", this::greeting);
        NodeAnswers answers = one.questions().ask("greeting", text("one"));
        assertThat(answers.answers()).containsExactly(new NodeAnswers.Answer(two.questions().self(),
                text("hello one")));
        assertThat(answers.unreachable()).isEmpty();
    }

    @Test
    void aNodeWithNothingToSayIsNoUnreachableNode() {
        two.questions().answer("greeting", _ -> MissingNode.getInstance());
        assertThat(one.questions().ask("greeting", text("one"))).isEqualTo(NodeAnswers.NONE);
        assertThat(one.questions().ask("unknown", text("one"))).isEqualTo(NodeAnswers.NONE);
    }

    /** Makes the other node hold its answers until {@link #held}, each counted down when it is asked for. */
    private void hold(CountDownLatch reached) {
        two.questions().answer("greeting", question -> {
            reached.countDown();
            try {
                held.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return question;
        });
    }

    private CompletableFuture<NodeAnswers> begin(String question) {
        return CompletableFuture.supplyAsync(() -> one.questions().ask("greeting", text(question)));
    }

    private NodeAnswers unanswered() {
        return new NodeAnswers(List.of(), List.of(two.questions().self()));
    }

    @Test
    void aNodeThatDoesNotAnswerIsNamedAfterTheBoundAndHoldsNobodyLonger() throws Exception {
        CountDownLatch reached = new CountDownLatch(1);
        hold(reached);
        CompletableFuture<NodeAnswers> answers = begin("one");
        assertThat(reached.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(answers).isNotDone();
        time.advance(NodeQuestions.PATIENCE);
        assertThat(answers.get(60, TimeUnit.SECONDS)).isEqualTo(unanswered());
    }

    @Test
    void aNodeThatLeftAQuestionUnansweredIsWaitedForATwentiethAsLongUntilItAnswersAgain() throws Exception {
        CountDownLatch reached = new CountDownLatch(2);
        hold(reached);
        CompletableFuture<NodeAnswers> first = begin("one");
        soon().until(() -> reached.getCount() == 1);
        time.advance(NodeQuestions.PATIENCE);
        assertThat(first.get(60, TimeUnit.SECONDS)).isEqualTo(unanswered());
        CompletableFuture<NodeAnswers> next = begin("two");
        assertThat(reached.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(next).isNotDone();
        time.advance(NodeQuestions.PATIENCE.dividedBy(20));
        assertThat(next.get(60, TimeUnit.SECONDS)).isEqualTo(unanswered());
        held.countDown();
        soon().until(() -> !one.questions().ask("greeting", text("three")).answers().isEmpty());
    }

    @Test
    void aQuestionBeyondTheBoundIsNotAskedAndNamesTheNodes() {
        two.questions().answer("greeting", this::greeting);
        for (int n = 0; n < 128; n++) {
            assertThat(one.questions().ask("greeting", text("question " + n)).answers()).hasSize(1);
        }
        assertThat(one.questions().ask("greeting", text("one more"))).isEqualTo(unanswered());
        assertThat(one.questions().ask("greeting", text("question 127")).answers()).hasSize(1);
        assertThat(asked).hasValue(128);
        time.advance(NodeQuestions.PATIENCE.multipliedBy(2));
        assertThat(one.questions().ask("greeting", text("one more")).answers()).hasSize(1);
    }

    @Test
    void messagesOfOtherVersionsAreIgnored() {
        two.questions().answer("greeting", this::greeting);
        for (String message : List.of("no JSON", "[]", "7", "{}", "{\"asked\": 1}",
                "{\"asked\": \"x\", \"subject\": {}}",
                "{\"answered\": \"x\"}", "{\"answered\": [], \"node\": {}}", "{\"later\": {\"question\": 7}}")) {
            first.bus().publish(Bus.Topic.NODES, message.getBytes(StandardCharsets.UTF_8));
            second.bus().publish(Bus.Topic.NODES, message.getBytes(StandardCharsets.UTF_8));
        }
        assertThat(one.questions().ask("greeting", text("one")).answers()).hasSize(1);
        assertThat(one.nodes()).hasSize(2).noneMatch(NodeStatus::silent);
    }

    @Test
    void aSilentNodeIsNamedAndNotWaitedFor() {
        String name = two.questions().self();
        second.close(); // as if it had been killed
        soon().until(() -> {
            time.advance(Duration.ofSeconds(1));
            return one.nodes().getLast().silent();
        });
        assertThat(one.questions().ask("greeting", text("one")).unreachable()).containsExactly(name);
    }

    @Test
    void equalQuestionsWithinASecondShareTheirAnswers() {
        two.questions().answer("greeting", this::greeting);
        for (int n = 0; n < 10; n++) {
            assertThat(one.questions().ask("greeting", text("one")).answers()).hasSize(1);
        }
        assertThat(asked).hasValue(1);
        one.questions().ask("greeting", text("another"));
        assertThat(asked).hasValue(2);
        time.advance(Duration.ofSeconds(1));
        one.questions().ask("greeting", text("one"));
        assertThat(asked).hasValue(3);
    }

    @Test
    void aSubjectHasOneAnswerUntilItsRegistrationIsClosed() {
        var registration = two.questions().answer("greeting", this::greeting);
        assertThatThrownBy(() -> two.questions().answer("greeting", this::greeting))
                .isInstanceOf(IllegalStateException.class).hasMessageContaining("greeting");
        registration.close();
        assertThat(one.questions().ask("greeting", JsonMapper.shared().createObjectNode()).answers()).isEmpty();
        two.questions().answer("greeting", this::greeting);
    }
}
