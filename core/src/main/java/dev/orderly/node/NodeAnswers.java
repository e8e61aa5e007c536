package dev.orderly.node;

import dev.orderly.Internal;
import java.util.List;
import java.util.Objects;
import tools.jackson.databind.JsonNode;

/**
 * The answers of other nodes to one question.
 *
 * @param answers of the nodes that have something to say, in no order
 * @param unreachable the nodes that are silent or did not answer in time, by host and process, in order: what they know
 *     is missing
 */
@Internal(to = "dev.orderly")
public record NodeAnswers(List<Answer> answers, List<String> unreachable) {
    /** The answers where there is no other node. */
    public static final NodeAnswers NONE = new NodeAnswers(List.of(), List.of());

    /**
     * The answer of one node.
     *
     * @param node its host and process
     */
    public record Answer(String node, JsonNode content) {
        public Answer {
            Objects.requireNonNull(node, "node");
            Objects.requireNonNull(content, "content");
        }
    }

    public NodeAnswers {
        Objects.requireNonNull(answers, "answers");
        Objects.requireNonNull(unreachable, "unreachable");
        answers = List.copyOf(answers);
        unreachable = List.copyOf(unreachable);
    }
}
