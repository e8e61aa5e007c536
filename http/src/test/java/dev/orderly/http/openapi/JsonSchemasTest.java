package dev.orderly.http.openapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.Priority;
import dev.orderly.operate.OperationSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The schemas of records say what is written. */
class JsonSchemasTest {
    private final JsonSchemas schemas = new JsonSchemas();

    enum Colour {
        DARK_BLUE, RED
    }

    /** A component of each kind. */
    @Doc(name = "Everything", value = "All kinds.")
    record Everything(@Doc(value = "Which one.", facets = "maximum: 9") int number, long big, double share,
            @Nullable Integer few, boolean on, String text, @Nullable String line, @OmitNull @Nullable String rare,
            @JsonProperty("10s") int renamed, Instant at, @Nullable Duration took, Colour colour,
            @Nullable Colour ground, JobId id, @Nullable JobState state, Priority priority, List<Part> parts,
            @Nullable Part part, Map<String, Long> counts, List<@Nullable Long> column) {}

    record Part(String name) {}

    @Doc(name = "Everything")
    record Namesake(String name) {}

    @Doc(name = "PartRequest")
    record PartRequest(String name, @Nullable String note, @OmitNull @Nullable Integer size) {}

    @Test
    void theSchemaOfARecordFollowsFromItsTypes() {
        assertThat(schemas.of(Everything.class, "")).isEqualTo(json("{'$ref': '#/components/schemas/Everything'}"));
        JsonNode schema = schemas.named().path("Everything");
        assertThat(schema.path("description").asString()).isEqualTo("All kinds.");
        Map.ofEntries(Map.entry("number", "{type: 'integer', minimum: 0, maximum: 9, description: 'Which one.'}"),
                Map.entry("big", "{type: 'integer', format: 'int64', minimum: 0}"),
                Map.entry("share", "{type: 'number'}"),
                Map.entry("few", "{type: ['integer', 'null'], minimum: 0}"), Map.entry("on", "{type: 'boolean'}"),
                Map.entry("line", "{type: ['string', 'null']}"), Map.entry("rare", "{type: 'string'}"),
                Map.entry("10s", "{type: 'integer', minimum: 0}"),
                Map.entry("at", "{type: 'string', format: 'date-time'}"),
                Map.entry("took", "{type: ['string', 'null'], format: 'duration'}"),
                Map.entry("colour", "{type: 'string', enum: ['dark-blue', 'red']}"),
                Map.entry("ground", "{type: ['string', 'null'], enum: ['dark-blue', 'red', null]}"),
                Map.entry("id", "{'$ref': '#/components/schemas/JobId'}"),
                Map.entry("state", "{oneOf: [{type: 'null'}, {'$ref': '#/components/schemas/State'}]}"),
                Map.entry("priority", "{'$ref': '#/components/schemas/Priority'}"),
                Map.entry("parts", "{type: 'array', items: {type: 'object', properties: {name: {type: 'string'}},"
                        + " required: ['name']}}"),
                Map.entry("counts", "{type: 'object', additionalProperties: {type: 'integer', format: 'int64',"
                        + " minimum: 0}}"),
                Map.entry("column", "{type: 'array', items: {type: ['integer', 'null'], format: 'int64',"
                        + " minimum: 0}}"))
                .forEach((name, expected) -> assertThat(schema.path("properties").path(name)).as(name)
                        .isEqualTo(json(expected)));
        assertThat(words(schema.path("required"))).contains("few", "line", "10s").doesNotContain("rare");
        assertThat(schema.has("additionalProperties")).isFalse();
    }

    @Test
    void aRequestIsClosedAndItsMembersThatMayBeNullMayBeAbsent() {
        schemas.of(PartRequest.class, "");
        JsonNode schema = schemas.named().path("PartRequest");
        assertThat(schema.path("additionalProperties")).isEqualTo(json("false"));
        assertThat(words(schema.path("required"))).containsExactly("name");
        assertThat(schema.at("/properties/note")).isEqualTo(json("{type: ['string', 'null']}"));
        assertThat(schema.at("/properties/size")).isEqualTo(json("{type: 'integer', minimum: 0}"));
        assertThat(JsonSchemas.members(Everything.class)).contains("10s", "rare").doesNotContain("renamed");
    }

    @Test
    void whatIsWrittenFitsTheSchema() {
        Part part = new Part("a");
        JobId id = JobId.parse("01a1fe39-a05f-7000-801e-2c1f8b4de8ac");
        check(new Everything(1, Long.MAX_VALUE, 0.5, null, true, "text", null, null, 3, Instant.EPOCH, null,
                Colour.DARK_BLUE, null, id, null, Priority.of(2), List.of(part), null, Map.of("x", 1L),
                Arrays.asList(1L, null)));
        check(new Everything(1, 2, 0.5, 4, false, "text", "line", "rare", 3, Instant.EPOCH, Duration.ofSeconds(90),
                Colour.RED, Colour.RED, id, JobState.DELAYED, Priority.of(3), List.of(), part, Map.of(), List.of()));
    }

    private void check(Everything value) {
        JsonNode written = JsonMapper.shared().readTree(RecordJson.bytes(value));
        ObjectNode whole = schemas.of(Everything.class, "");
        whole.putObject("components").set("schemas", schemas.named());
        assertThat(SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12).getSchema(whole)
                .validate(written, context -> context.executionConfig(all -> all.formatAssertionsEnabled(true))))
                .as(written.toString()).isEmpty();
        assertThat(written.propertyNames().stream().filter(name -> !name.equals("rare")))
                .as("in the order of the components")
                .containsExactlyElementsOf(JsonSchemas.members(Everything.class).stream()
                        .filter(name -> !name.equals("rare")).toList());
    }

    @Test
    void twoTypesNeverShareTheNameOfASchema() {
        schemas.of(Everything.class, "");
        assertThatThrownBy(() -> schemas.of(Namesake.class, "")).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Everything");
    }

    @Test
    void anOperationHasTheSentenceAndTheRefusalsOfTheTableAndTheParametersOfItsPath() {
        ObjectNode operation = OperationDoc.of("jobs", OperationSpec.CANCEL).answers(Everything.class, "Done.")
                .write("cancel", "/api/v1/jobs/{id}", Set.of(ErrorAnswer.INTERNAL), schemas);
        assertThat(operation.path("summary").asString()).isEqualTo(OperationSpec.CANCEL.sentence());
        assertThat(operation.path("parameters").path(0).path("name").asString()).isEqualTo("id");
        assertThat(operation.path("responses").propertyNames()).containsExactly("200", "404", "409", "500");
        assertThat(operation.at("/responses/409/$ref").asString()).isEqualTo("#/components/responses/JobEnded");
    }

    private static List<String> words(JsonNode list) {
        return list.valueStream().map(JsonNode::stringValue).toList();
    }

    private static JsonNode json(String text) {
        return JsonMapper.shared().readTree(text.replaceAll("([{,] ?)([a-zA-Z]+):", "$1\"$2\":").replace('\'', '"'));
    }
}
