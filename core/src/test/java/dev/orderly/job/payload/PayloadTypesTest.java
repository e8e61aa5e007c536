package dev.orderly.job.payload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.job.Payload;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

class PayloadTypesTest {
    private final PayloadCodec codec = new PayloadCodec(JsonMapper.shared(), List.of());

    sealed interface Event permits Paid, Sent {}

    record Paid(String order, int cents, String currency) implements Event {}

    record Sent(String order) implements Event {}

    private final PayloadTypes<Event> events = PayloadTypes.of(Event.class)
            .kind("paid", Paid.class, PayloadChanges.NONE.rename("sum", "cents").byDefault("currency", "EUR"))
            .kind("sent", Sent.class).alias("shipped", "sent");

    private static Payload of(String kind, String json) {
        return new Payload("application/json; kind=" + kind, json.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void theNameOfTheKindIsStoredAndNotTheNameOfTheClass() {
        PayloadFormat format = codec.format(events);
        Payload payload = format.encode(new Paid("7", 100, "CHF"));
        assertThat(payload.contentType()).isEqualTo("application/json; kind=paid");
        assertThat(payload.asText()).doesNotContain("Paid");
        assertThat(format.decode(payload)).isEqualTo(new Paid("7", 100, "CHF"));
        assertThat(format.decode(format.encode(new Sent("7")))).isEqualTo(new Sent("7"));
        assertThatThrownBy(() -> format.encode("text")).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("java.lang.String").hasMessageContaining("[paid, sent]");
    }

    @Test
    void anEarlierNameAndEarlierFieldsAreRead() {
        PayloadFormat format = codec.format(events);
        assertThat(format.decode(of("shipped", "{\"order\":\"7\"}"))).isEqualTo(new Sent("7"));
        assertThat(format.decode(of("paid", "{\"order\":\"7\",\"sum\":5}"))).isEqualTo(new Paid("7", 5, "EUR"));
        assertThat(format.decode(of("paid", "{\"order\":\"7\",\"sum\":5,\"cents\":6,\"currency\":\"USD\"}")))
                .isEqualTo(new Paid("7", 6, "USD"));
        assertThat(format.decode(new Payload("Application/JSON; charset=utf-8; Kind=\"sent\"",
                "{\"order\":\"7\"}".getBytes(StandardCharsets.UTF_8)))).isEqualTo(new Sent("7"));
    }

    @Test
    void aKindThatThisVersionDoesNotKnowIsUnreadable() {
        assertThatThrownBy(() -> codec.format(events).decode(of("refunded", "not even JSON")))
                .isInstanceOf(UnreadablePayloadException.class).hasMessageContaining("kind refunded")
                .hasMessageContaining("[paid, sent]");
        assertThatThrownBy(() -> codec.format(events).decode(Payload.json("{}")))
                .isInstanceOf(UnreadablePayloadException.class).hasMessageContaining("no kind");
        assertThatThrownBy(() -> codec.format(PayloadTypes.of(Sent.class)).decode(of("sent", "{\"order\":\"7\"}")))
                .isInstanceOf(UnreadablePayloadException.class).hasMessageContaining("no kinds");
        assertThat(codec.format(PayloadTypes.of(byte[].class)).decode(of("sent", "x"))).isInstanceOf(byte[].class);
    }

    @Test
    void payloadsWithoutAKindHaveTheOneThatIsDeclaredForThem() {
        PayloadFormat format = codec.format(events.withoutKind("sent"));
        assertThat(format.decode(Payload.json("{\"order\":\"7\"}"))).isEqualTo(new Sent("7"));
    }

    @Test
    void codeChangesNestedFieldsAndForms() {
        PayloadTypes<Sent> sent = PayloadTypes.of(Sent.class).changed(PayloadChanges.NONE.upcast(payload -> {
            if (payload.get("order") instanceof ObjectNode order) {
                payload.set("order", order.required("id"));
            }
            return payload;
        }));
        PayloadFormat format = codec.format(sent);
        assertThat(format.decode(Payload.json("{\"order\":{\"id\":\"7\"}}"))).isEqualTo(new Sent("7"));
        assertThat(format.decode(Payload.json("{\"order\":\"7\"}"))).isEqualTo(new Sent("7"));
        assertThatThrownBy(() -> format.decode(Payload.json("{\"order\":{}}")))
                .isInstanceOf(UnreadablePayloadException.class)
                .hasMessageContaining("id");
        PayloadFormat renamed = codec.format(
                PayloadTypes.of(Sent.class).changed(PayloadChanges.NONE.rename("o", "order")));
        assertThat(renamed.decode(new Payload("application/x-www-form-urlencoded",
                "o=7".getBytes(StandardCharsets.UTF_8)))).isEqualTo(new Sent("7"));
    }

    @Test
    void declarationsAreChecked() {
        assertThatThrownBy(() -> codec.format(PayloadTypes.of(Event.class).kind("paid", Paid.class)))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining(Sent.class.getName());
        assertThatThrownBy(() -> events.kind("sent", Sent.class)).hasMessageContaining("twice");
        assertThatThrownBy(() -> events.kind("sent2", Sent.class)).hasMessageContaining("alias(\"sent2\", \"sent\")");
        assertThatThrownBy(() -> PayloadTypes.of(Event.class).kind("Paid Event", Paid.class))
                .hasMessageContaining("lower-case");
        assertThatThrownBy(() -> events.alias("gone", "refunded")).hasMessageContaining("not declared");
        assertThat(codec.format(events).isLike(codec.format(events))).isTrue();
        assertThat(codec.format(events).isLike(codec.format(events.alias("posted", "sent")))).isFalse();
    }
}
