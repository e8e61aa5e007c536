package dev.orderly.job.payload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.job.Payload;
import dev.orderly.job.Unprocessable;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

class PayloadCodecTest {
    private static final String FORM = "application/x-www-form-urlencoded";

    private final PayloadCodec codec = new PayloadCodec(JsonMapper.shared(), List.of());

    record Order(String id, int seats, Instant at) {}

    private Object decode(Payload payload, Type type) {
        return codec.format(PayloadTypes.ofType(type)).decode(payload);
    }

    @Test
    void aPayloadIsReadBackAsTheValueThatWasPushed() {
        Order order = new Order("ö-7", 2, Instant.parse("2026-11-21T12:00:00Z"));
        assertThat(decode(codec.encode(order), Order.class)).isEqualTo(order);
        assertThat(decode(codec.encode("grüße"), String.class)).isEqualTo("grüße");
        byte[] bytes = {0, -1, 127, -128, 10, 13};
        assertThat(decode(codec.encode(bytes), byte[].class)).isEqualTo(bytes);
        assertThat(decode(codec.encode(Map.of("a", List.of(1, 2))), Map.class)).isEqualTo(Map.of("a", List.of(1, 2)));
        assertThat(decode(codec.encode(List.of(order)), new TypeReference<List<Order>>() {
        }.getType()))
                .isEqualTo(List.of(order));
        Payload raw = new Payload("image/png", bytes);
        assertThat(decode(codec.encode(raw), Payload.class)).isEqualTo(raw);
    }

    /** A class whose field has no getter. */
    private static final class Hidden {
        @SuppressWarnings("unused") // Jackson does not see it either
        private final String field = "lost";
    }

    private record Around(Object inside) {}

    private static final class Marker {}

    private record Tick() {}

    @Test
    void aValueWhoseFieldsJacksonDoesNotSeeIsRefusedAndAValueWithoutFieldsIsNot() {
        for (Object value : List.of(new Hidden(), new Around(new Hidden()))) {
            assertThatThrownBy(() -> codec.encode(value)).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(Hidden.class.getName() + " has fields, and none that Jackson sees")
                    .hasMessageContaining("make it a record");
        }
        for (Object value : List.of(new Marker(), new Tick(), Map.of())) {
            assertThat(codec.encode(value).asText(StandardCharsets.UTF_8)).isEqualTo("{}");
        }
    }

    @Test
    void aPushedArrayMayBeChangedAfterwards() {
        byte[] bytes = {1, 2};
        Payload payload = codec.encode(bytes);
        bytes[0] = 7;
        assertThat(payload.bytes()).containsExactly(1, 2);
    }

    @Test
    void aFormIsReadAsARecordAndRepeatedFieldsBecomeLists() {
        Payload form = new Payload(FORM,
                "id=a%20b+c&seats=3&at=2026-11-21T12%3A00%3A00Z".getBytes(StandardCharsets.US_ASCII));
        assertThat(decode(form, Order.class)).isEqualTo(new Order("a b c", 3, Instant.parse("2026-11-21T12:00:00Z")));
        Payload repeated = new Payload(FORM + "; charset=utf-8",
                "x=1&x=2&x=3&y=%C3%A4&z".getBytes(StandardCharsets.US_ASCII));
        assertThat(decode(repeated, Object.class)).isEqualTo(Map.of("x", List.of("1", "2", "3"), "y", "ä", "z", ""));
    }

    @Test
    void textIsReadInItsCharacterSetAndAJsonStringAsItsValue() {
        Payload latin = new Payload("text/plain; charset=ISO-8859-1", "ä".getBytes(StandardCharsets.ISO_8859_1));
        assertThat(decode(latin, String.class)).isEqualTo("ä");
        assertThat(decode(Payload.json("\"a\\nb\""), String.class)).isEqualTo("a\nb");
        assertThat(decode(Payload.json("{\"a\":1}"), String.class)).isEqualTo("{\"a\":1}");
        assertThat(decode(new Payload("application/vnd.order+json", "{\"id\":\"7\"}".getBytes(StandardCharsets.UTF_8)),
                Map.class)).isEqualTo(Map.of("id", "7"));
    }

    @Test
    void aPayloadThatDoesNotFitTheTypeIsLeftToOtherVersionsWithTheReason() {
        assertThatThrownBy(() -> decode(Payload.json("{\"id\":\"a\",\"seats\":\"many\"}"), Order.class))
                .isInstanceOf(UnreadablePayloadException.class).hasMessageContaining("Order")
                .hasMessageContaining("many");
        assertThatThrownBy(() -> decode(Payload.json("{\"id\":\"a\",\"seats\":3000000000}"), Order.class))
                .as("a version with a wider type reads it").isInstanceOf(UnreadablePayloadException.class);
        assertThatThrownBy(() -> decode(Payload.json("\"text\""), Order.class))
                .isInstanceOf(UnreadablePayloadException.class);
        assertThatThrownBy(() -> decode(new Payload(Payload.BYTES, new byte[]{1}), Order.class))
                .isInstanceOf(UnreadablePayloadException.class);
        assertThatThrownBy(() -> decode(Payload.text("a"), Order.class)).isInstanceOf(UnreadablePayloadException.class);
    }

    @Test
    void whatIsNotItsContentTypeIsUnreadableForEveryVersion() {
        for (String text : List.of("{", "{\"id\":\"a\",\"seats\":", "{\"id\":\"a\",\"seats\":1,\"at\":x}", "null",
                "")) {
            assertThatThrownBy(() -> decode(Payload.json(text), Order.class)).as(text)
                    .isInstanceOf(Unprocessable.class);
        }
        assertThatThrownBy(() -> decode(new Payload(FORM, "a=%zz".getBytes(StandardCharsets.US_ASCII)), Map.class))
                .isInstanceOf(Unprocessable.class);
        assertThatThrownBy(() -> decode(new Payload("text/plain; charset=klingon", new byte[]{65}), String.class))
                .isInstanceOf(Unprocessable.class).hasMessageContaining("klingon");
    }

    @Test
    void aReaderAddsAMediaType() {
        PayloadReader pairs = new PayloadReader() {
            @Override
            public boolean reads(String mediaType) {
                return mediaType.equals("text/pair");
            }

            @Override
            public Object read(Payload payload) {
                String[] parts = payload.asText().split("=", -1);
                return Map.of("id", parts[0], "seats", parts[1]);
            }
        };
        PayloadCodec extended = new PayloadCodec(JsonMapper.shared(), List.of(pairs));
        Payload payload = new Payload("Text/Pair; v=1", "a=5".getBytes(StandardCharsets.UTF_8));
        assertThat(extended.format(PayloadTypes.of(Map.class)).decode(payload))
                .isEqualTo(Map.of("id", "a", "seats", "5"));
    }
}
