package dev.orderly.http.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.http.Contract;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * The names that clients rely on, recorded: a record's component that is renamed renames a member of the API, which
 * nothing else would tell.
 */
class ApiOutlineTest {
    private static final Path NOW = Path.of("target", "api-outline.txt");

    @Test
    void operationsAndMembersAreTheRecordedOnes() throws IOException {
        List<String> outline = outline();
        Files.write(NOW, outline);
        try (var recorded = Objects.requireNonNull(ApiOutlineTest.class.getResourceAsStream("api-outline.txt"))) {
            assertThat(outline).as("If clients may see this change (docs/versions.md), record it: copy http/" + NOW
                    + " over http/src/test/resources/dev/orderly/http/openapi/api-outline.txt")
                    .isEqualTo(new String(recorded.readAllBytes(), StandardCharsets.UTF_8).lines().toList());
        }
    }

    /** A line for each operation, then one for each schema. */
    private static List<String> outline() {
        List<String> lines = new ArrayList<>();
        for (Map.Entry<String, JsonNode> path : Contract.document().path("paths").properties()) {
            for (Map.Entry<String, JsonNode> method : path.getValue().properties()) {
                JsonNode operation = method.getValue();
                lines.add(method.getKey() + " " + path.getKey() + " " + operation.path("operationId").stringValue()
                        + parameters(operation) + content(operation.path("requestBody")) + " ->"
                        + operation.path("responses").propertyStream().map(answer -> " " + answer.getKey()
                                + content(Contract.resolved(answer.getValue()))).collect(Collectors.joining()));
            }
        }
        lines.sort(null);
        Contract.document().path("components").path("schemas").properties()
                .forEach(schema -> lines.add(schema.getKey() + " = " + type(schema.getValue())));
        return lines;
    }

    private static String parameters(JsonNode operation) {
        return operation.path("parameters").valueStream().filter(each -> !each.path("in").asString().equals("path"))
                .map(each -> " " + each.path("name").stringValue() + (each.path("required").asBoolean() ? "" : "?"))
                .collect(Collectors.joining());
    }

    private static String content(JsonNode body) {
        JsonNode json = body.path("content").path("application/json").path("schema");
        return json.isMissingNode() ? "" : "(" + type(json) + ")";
    }

    private static String type(JsonNode schema) {
        if (schema.has("$ref")) {
            String reference = schema.path("$ref").stringValue();
            return reference.substring(reference.lastIndexOf('/') + 1);
        }
        if (schema.has("oneOf")) {
            return schema.path("oneOf").valueStream().map(ApiOutlineTest::type).collect(Collectors.joining("|"));
        }
        if (schema.has("enum")) {
            return schema.path("enum").valueStream().map(JsonNode::asString).collect(Collectors.joining("|"));
        }
        if (schema.has("items")) {
            return "[" + type(schema.path("items")) + "]";
        }
        if (schema.has("properties")) {
            List<String> required = schema.path("required").valueStream().map(JsonNode::stringValue).toList();
            return "{" + schema.path("properties").propertyStream().map(member -> member.getKey()
                    + (required.contains(member.getKey()) ? "" : "?") + " " + type(member.getValue()))
                    .collect(Collectors.joining(", ")) + "}" + (schema.path("type").isArray() ? "|null" : "");
        }
        JsonNode type = schema.path("type");
        return type.isArray()
                ? type.valueStream().map(JsonNode::stringValue).collect(Collectors.joining("|"))
                : type.asString("any");
    }
}
