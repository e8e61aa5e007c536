package dev.orderly.node;

import dev.orderly.Internal;
import dev.orderly.Registration;
import java.time.Duration;
import java.util.Objects;
import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;

/**
 * Questions of a node to the others that share its store, about what each keeps in its own memory. For operators: the
 * bus may lose a question or an answer, so nothing that jobs or rooms promise depends on it. Thread-safe.
 */
@Internal(to = "dev.orderly")
public interface NodeQuestions {
    /** The longest wait for answers. */
    Duration PATIENCE = Duration.ofSeconds(2);

    /** The name of a node that does not know its own yet. */
    String UNNAMED = "this node";

    /** The questions of a node that has joined no others: nobody answers. */
    NodeQuestions ALONE = new NodeQuestions() {
        @Override
        public Registration answer(String subject, UnaryOperator<JsonNode> answer) {
            Objects.requireNonNull(subject, "subject");
            Objects.requireNonNull(answer, "answer");
            return Registration.of(() -> {});
        }

        @Override
        public NodeAnswers ask(String subject, JsonNode question) {
            Objects.requireNonNull(subject, "subject");
            Objects.requireNonNull(question, "question");
            return NodeAnswers.NONE;
        }

        @Override
        public String self() {
            return UNNAMED;
        }
    };

    /**
     * Answers the questions of other nodes about a subject, until the registration is closed.
     *
     * @param answer called on a virtual thread, several times at once; answers from memory. A missing node for nothing
     * @throws IllegalStateException if the subject has an answer already
     */
    Registration answer(String subject, UnaryOperator<JsonNode> answer);

    /**
     * Asks all other nodes that report themselves. Blocks until each has answered, but not longer than
     * {@link #PATIENCE}; a node that left its last question unanswered is waited for a tenth of a second, one that is
     * silent not at all. Equal questions within a second share their answers.
     *
     * @return what was answered, and the nodes that did not answer: all of them beyond 128 different questions in three
     *     seconds, which are not asked
     */
    NodeAnswers ask(String subject, JsonNode question);

    /** The name of this node in the answers that other nodes get: its host and process; {@link #UNNAMED} at first. */
    String self();
}
