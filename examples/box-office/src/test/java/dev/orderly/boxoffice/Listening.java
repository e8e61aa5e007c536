package dev.orderly.boxoffice;

import dev.orderly.live.CloseCode;
import dev.orderly.live.LiveConnection;
import dev.orderly.live.Message;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** One open page of a customer, that keeps what it hears. */
record Listening(String id, List<JsonNode> heard) implements LiveConnection {
    Listening(String id) {
        this(id, new CopyOnWriteArrayList<>());
    }

    @Override
    public String address() {
        return "127.0.0.1";
    }

    @Override
    public boolean send(Message message) {
        heard.add(JsonMapper.shared().readTree(new String(message.bytes(), StandardCharsets.UTF_8)));
        return true;
    }

    @Override
    public void close(CloseCode code, String reason) {
        // the page stays as it is
    }

    /** What it heard about an order, in its order. */
    List<String> statuses(String order) {
        return heard.stream().filter(news -> news.has("status") && news.path("id").asString().equals(order))
                .map(news -> news.path("status").asString()).toList();
    }
}
