package dev.orderly.boxoffice;

import dev.orderly.live.CloseCode;
import dev.orderly.live.LiveConnection;
import dev.orderly.live.Message;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** One open page of a customer, which records its messages. */
record RecordedConnection(String id, List<JsonNode> received) implements LiveConnection {
    RecordedConnection(String id) {
        this(id, new CopyOnWriteArrayList<>());
    }

    @Override
    public String address() {
        return "127.0.0.1";
    }

    @Override
    public boolean send(Message message) {
        received.add(JsonMapper.shared().readTree(new String(message.bytes(), StandardCharsets.UTF_8)));
        return true;
    }

    @Override
    public void close(CloseCode code, String reason) {
        // the page does not change
    }

    /** The statuses of an order, in the order of arrival. */
    List<String> statuses(String order) {
        return received.stream().filter(message -> message.has("status") && message.path("id").asString().equals(order))
                .map(message -> message.path("status").asString()).toList();
    }
}
