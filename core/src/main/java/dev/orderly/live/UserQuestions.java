package dev.orderly.live;

import dev.orderly.node.NodeAnswers;
import dev.orderly.node.NodeQuestions;
import dev.orderly.user.UserId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Which users are connected to all nodes: each answers from memory. Thread-safe. */
final class UserQuestions {
    private static final String USERS = "live.users";
    private static final String CONNECTIONS = "live.connections";

    private final ConnectionRegistry registry;
    private volatile NodeQuestions nodes = NodeQuestions.ALONE;

    UserQuestions(ConnectionRegistry registry) {
        this.registry = registry;
    }

    /** Answers the other nodes from now on, and asks them. Called once. */
    @SuppressWarnings("resource") // the answers end with the node
    void join(NodeQuestions others) {
        others.answer(USERS, this::users);
        others.answer(CONNECTIONS, this::connections);
        nodes = others;
    }

    OnlinePage page(@Nullable UserId after, int limit) {
        ObjectNode question = JsonMapper.shared().createObjectNode().put("after", after == null ? null : after.value())
                .put("limit", limit);
        NodeAnswers answered = nodes.ask(USERS, question);
        TreeMap<String, Integer> users = new TreeMap<>();
        Stream.concat(Stream.of(users(question)), answered.answers().stream().map(NodeAnswers.Answer::content))
                .forEach(page -> page.forEachEntry((user, count) -> users.merge(user, count.asInt(0), Integer::sum)));
        return new OnlinePage(users.entrySet().stream().limit(limit)
                .map(user -> new OnlineUser(new UserId(user.getKey()), user.getValue())).toList(),
                answered.unreachable());
    }

    private JsonNode users(JsonNode question) {
        String after = question.path("after").asString("");
        ObjectNode page = JsonMapper.shared().createObjectNode();
        registry.page(after.isEmpty() ? null : new UserId(after), question.path("limit").asInt(1))
                .forEach(user -> page.put(user.user().value(), user.connections()));
        return page;
    }

    UserConnections of(UserId user) {
        ObjectNode question = JsonMapper.shared().createObjectNode().put("user", user.value());
        NodeAnswers answered = nodes.ask(CONNECTIONS, question);
        List<UserConnections.Located> all = new ArrayList<>(read(nodes.self(), connections(question)));
        answered.answers().stream().sorted(Comparator.comparing(NodeAnswers.Answer::node))
                .forEach(answer -> all.addAll(read(answer.node(), answer.content())));
        return new UserConnections(all, answered.unreachable());
    }

    private JsonNode connections(JsonNode question) {
        ArrayNode open = JsonMapper.shared().createArrayNode();
        registry.of(new UserId(question.path("user").asString(""))).forEach(each -> open.addObject()
                .put("id", each.id()).put("transport", each.transport()).put("since", each.since().toEpochMilli()));
        return open;
    }

    private static List<UserConnections.Located> read(String node, JsonNode answer) {
        return answer.valueStream().map(each -> new UserConnections.Located(node,
                new OpenConnection(each.path("id").asString(""), each.path("transport").asString(""),
                        Instant.ofEpochMilli(each.path("since").asLong(0)))))
                .toList();
    }
}
