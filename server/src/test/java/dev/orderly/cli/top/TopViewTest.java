package dev.orderly.cli.top;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStyle;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

class TopViewTest {
    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

    private final ObjectNode answers = JsonMapper.shared().createObjectNode();

    TopViewTest() {
        answers.putArray("queues");
        answers.putArray("rooms");
        answers.putArray("nodes");
    }

    @Test
    void theQueueWithTheOldestJobIsFirstAndQueuesWithoutOneAreLast() {
        queue("calm", null, 0, 0);
        queue("fresh", NOW.minusSeconds(5), 900, 0);
        queue("stale", NOW.minusSeconds(4000), 2, 0);
        assertThat(names(TopOrder.AGE)).containsExactly("stale", "fresh", "calm");
        assertThat(text(TopOrder.AGE, 100)).anyMatch(line -> line.matches("stale +1 h 6 min +2 .*"));
    }

    @Test
    void otherOrdersComeInTurns() {
        queue("b", NOW.minusSeconds(1), 5, 0);
        queue("a", NOW.minusSeconds(2), 9, 0);
        queue("c", NOW.minusSeconds(3), 1, 4);
        assertThat(names(TopOrder.AGE.next())).containsExactly("a", "b", "c");
        assertThat(names(TopOrder.WAITING.next())).containsExactly("c", "a", "b");
        assertThat(names(TopOrder.DEAD.next())).containsExactly("a", "b", "c");
        assertThat(TopOrder.NAME.next()).isEqualTo(TopOrder.AGE);
    }

    @Test
    void rowsThatDoNotFitAreCountedAndNoTablePushesAnotherOut() {
        IntStream.range(0, 90).forEach(n -> queue("queue-" + n, NOW.minusSeconds(n), n, 0));
        IntStream.range(0, 30).forEach(n -> node("node-" + n, "running"));
        for (int height : new int[]{10, 24, 50}) {
            List<String> lines = text(TopOrder.AGE, height);
            assertThat(lines).hasSizeLessThanOrEqualTo(height);
            assertThat(String.join("\n", lines)).contains("QUEUE ", "NODE ").containsPattern("and [0-9]+ more");
        }
        assertThat(text(TopOrder.AGE, 24)).filteredOn(line -> line.startsWith("queue-")).hasSizeGreaterThan(8);
    }

    @Test
    void noLineIsWiderThanTheScreen() {
        queue("a-queue-with-a-rather-long-name", NOW, 1, 0);
        assertThat(view().lines(TopOrder.AGE, 40, 24)).allMatch(line -> line.columnLength() <= 40);
    }

    @Test
    void deadLettersAndSilentNodesAreRed() {
        queue("bad", NOW, 1, 3);
        node("gone", "silent");
        List<AttributedString> lines = view().lines(TopOrder.AGE, 120, 24);
        assertThat(lines).filteredOn(line -> line.toString().startsWith("bad") || line.toString().startsWith("gone"))
                .hasSize(2).allMatch(
                        line -> line.styleAt(0).equals(AttributedStyle.DEFAULT.foreground(AttributedStyle.RED)));
    }

    private TopView view() {
        return new TopView("http://127.0.0.1:8081", NOW, answers);
    }

    private List<String> text(TopOrder order, int height) {
        return view().lines(order, 120, height).stream().map(AttributedString::toString).toList();
    }

    private List<String> names(TopOrder order) {
        return text(order, 100).stream().skip(3).map(line -> line.substring(0, line.indexOf(' '))).toList();
    }

    private void queue(String name, @Nullable Instant oldest, int waiting, int dead) {
        ObjectNode queue = ((ArrayNode) answers.path("queues")).addObject().put("queue", name).put("handled", true)
                .put("oldestPushedAt", oldest == null ? null : oldest.toString());
        queue.putObject("jobs").put("waiting", waiting).put("dead", dead);
    }

    private void node(String name, String state) {
        ((ArrayNode) answers.path("nodes")).addObject().put("node", name).put("host", "web").put("version", "1.0")
                .put("state", state).put("startedAt", NOW.toString()).put("reportAge", "PT2S");
    }
}
