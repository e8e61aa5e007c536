package dev.orderly.trial;

import java.util.Map;
import tools.jackson.databind.JsonNode;

/** The API of a node under trial. Methods block, for a bounded time, and throw what says why there is no answer. */
public interface TrialNode {
    String address();

    /** The answer to a push. */
    JsonNode push(String queue, Map<String, String> query, byte[] payload);

    /** The state of a queue. */
    JsonNode queue(String name);
}
