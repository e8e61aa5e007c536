package dev.orderly.job.payload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.orderly.job.Payload;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

@SuppressWarnings("NullAway") // records of applications without annotations hold null
class StrictReadingTest {
    private final PayloadCodec codec = new PayloadCodec(JsonMapper.shared(), List.of());

    /** The annotation of another library. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target({ElementType.PARAMETER, ElementType.FIELD, ElementType.METHOD})
    @interface Nullable {}

    record Item(String name, int count) {}

    record Order(String id, Item first, List<Item> items) {}

    record Lenient(@org.jspecify.annotations.Nullable String note, @Nullable String other, Optional<Item> item,
            OptionalInt count, @JsonProperty(defaultValue = "EUR") String currency,
            @JsonProperty(defaultValue = "3") int tries, @JsonProperty(defaultValue = "[1,2]") List<Integer> steps) {}

    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Sparse(@org.jspecify.annotations.Nullable String a, String b, int c) {}

    static final class Bean {
        public String text = "none";
        public int tries = 3;
        public int sum;
        public boolean urgent;
    }

    static final class Created {
        final String id;

        @JsonCreator
        Created(@JsonProperty("id") String id) {
            this.id = id;
        }
    }

    private Object read(String json, Type type) {
        return codec.format(PayloadTypes.ofType(type)).decode(Payload.json(json));
    }

    private void refuses(String json, Type type, String field) {
        assertThatThrownBy(() -> read(json, type)).as(json).isInstanceOf(UnreadablePayloadException.class)
                .hasMessageContaining("'" + field + "'");
    }

    @Test
    void aComponentThatTheJsonLacksIsAnErrorAtAnyDepth() {
        String item = "{\"name\":\"a\",\"count\":1}";
        assertThat(read("{\"id\":\"7\",\"first\":" + item + ",\"items\":[" + item + "]}", Order.class))
                .isEqualTo(new Order("7", new Item("a", 1), List.of(new Item("a", 1))));
        refuses("{\"first\":" + item + ",\"items\":[]}", Order.class, "id");
        refuses("{\"id\":\"7\",\"first\":" + item + "}", Order.class, "items");
        refuses("{\"id\":\"7\",\"first\":{\"name\":\"a\"},\"items\":[]}", Order.class, "count");
        refuses("{\"id\":\"7\",\"first\":" + item + ",\"items\":[" + item + ",{\"count\":2}]}", Order.class, "name");
        refuses("[{\"name\":\"a\"}]", new TypeReference<List<Item>>() {
        }.getType(), "count");
        refuses("{\"k\":{\"count\":1}}", new TypeReference<Map<String, Item>>() {
        }.getType(), "name");
        refuses("{}", Created.class, "id");
    }

    @Test
    void aRenamedFieldIsAnErrorAndNoLoss() {
        refuses("{\"title\":\"a\",\"count\":1}", Item.class, "name");
    }

    @Test
    void nullableOptionalAndDefaultedComponentsMayLack() {
        assertThat(read("{}", Lenient.class)).isEqualTo(new Lenient(null, null, Optional.empty(), OptionalInt.empty(),
                "EUR", 3, List.of(1, 2)));
        assertThat(read("{\"currency\":\"CHF\",\"tries\":0,\"steps\":[],\"note\":\"x\"}", Lenient.class))
                .isEqualTo(new Lenient("x", null, Optional.empty(), OptionalInt.empty(), "CHF", 0, List.of()));
    }

    @Test
    void anExplicitNullIsPresentExceptForAPrimitive() {
        assertThat(read("{\"name\":null,\"count\":1}", Item.class)).isEqualTo(new Item(null, 1));
        assertThatThrownBy(() -> read("{\"name\":\"a\",\"count\":null}", Item.class))
                .isInstanceOf(UnreadablePayloadException.class);
        assertThatThrownBy(() -> read("{\"tries\":null}", Lenient.class))
                .isInstanceOf(UnreadablePayloadException.class);
    }

    @Test
    void whatTheMapperLeavesOutWhenItWritesMayLack() {
        assertThat(read("{\"c\":1}", Sparse.class)).isEqualTo(new Sparse(null, null, 1));
        refuses("{\"a\":\"x\"}", Sparse.class, "c");
        JsonMapper sparse = JsonMapper.builder()
                .changeDefaultPropertyInclusion(all -> all.withValueInclusion(JsonInclude.Include.NON_NULL)).build();
        PayloadCodec leavesOut = new PayloadCodec(sparse, List.of());
        PayloadFormat items = leavesOut.format(PayloadTypes.of(Item.class));
        assertThat(items.decode(leavesOut.encode(new Item(null, 1)))).isEqualTo(new Item(null, 1));
    }

    @Test
    void aPrimitiveFieldOfABeanIsRequiredUnlessItsConstructorSetsIt() {
        Bean read = (Bean) read("{\"sum\":1,\"urgent\":false}", Bean.class);
        assertThat(read.text).isEqualTo("none");
        assertThat(read.tries).isEqualTo(3);
        assertThat(read.sum).isEqualTo(1);
        refuses("{\"urgent\":true}", Bean.class, "sum");
        refuses("{\"sum\":1}", Bean.class, "urgent");
    }

    @Test
    void unknownFieldsPassUnlessTheQueueOrTheMapperRefusesThem() {
        String json = "{\"name\":\"a\",\"count\":1,\"colour\":\"red\"}";
        assertThat(read(json, Item.class)).isEqualTo(new Item("a", 1));
        PayloadFormat refusing = codec.format(PayloadTypes.of(Item.class).refusingUnknownFields());
        assertThatThrownBy(() -> refusing.decode(Payload.json(json))).isInstanceOf(UnreadablePayloadException.class)
                .hasMessageContaining("colour");
        PayloadCodec strict = new PayloadCodec(
                JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build(), List.of());
        assertThatThrownBy(() -> strict.format(PayloadTypes.of(Item.class)).decode(Payload.json(json)))
                .isInstanceOf(UnreadablePayloadException.class);
    }

    @Test
    void formsAreReadStrictlyToo() {
        Payload form = new Payload("application/x-www-form-urlencoded",
                "name=a".getBytes(java.nio.charset.StandardCharsets.UTF_8));
        assertThatThrownBy(() -> codec.format(PayloadTypes.of(Item.class)).decode(form))
                .isInstanceOf(UnreadablePayloadException.class).hasMessageContaining("count");
    }
}
