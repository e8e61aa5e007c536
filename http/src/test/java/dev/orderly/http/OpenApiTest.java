package dev.orderly.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.orderly.http.access.ApiEndpoint;
import dev.orderly.http.api.ApiEndpoints;
import dev.orderly.operate.OperationSpec;
import dev.orderly.web.problem.ProblemType;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The contract and the server agree. */
class OpenApiTest {
    private static final Pattern NAME = Pattern.compile("\\{([a-z]+)}");
    private final Node node = new Node();

    @AfterEach
    void close() {
        node.close();
    }

    @Test
    void theDocumentHasEveryRouteOfTheServerAndNoOther() {
        Set<String> served = node.endpoints().stream().map(ApiEndpoint::endpoint)
                .map(endpoint -> endpoint.method() + " " + endpoint.path().text())
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(Contract.operations().stream().filter(operation -> !operation.contains(" /.orderly/")))
                .as("without those of the edge").containsExactlyElementsOf(served);
    }

    @Test
    void theDocumentSaysForEachOperationWhichRoleItNeeds() {
        for (ApiEndpoint declared : node.endpoints()) {
            JsonNode operation = Contract.document().path("paths").path(declared.endpoint().path().text())
                    .path(declared.endpoint().method().toLowerCase(Locale.ROOT));
            assertThat(operation.path("operationId").asString()).isEqualTo(declared.operation());
            assertThat(operation.path("x-orderly-role").asString()).as(declared.operation())
                    .isEqualTo(declared.least().text());
            assertThat(operation.path("security").toString()).as(declared.operation()).isEqualTo(declared.least()
                    .isPublic() ? "[]" : "[{\"token\":[]},{\"session\":[]}]");
            List<String> statuses = List.copyOf(operation.path("responses").propertyNames());
            if (!declared.least().isPublic()) {
                assertThat(statuses).as(declared.operation()).contains("401", "403", "429");
            }
        }
    }

    @Test
    void theDocumentHasEveryOperationOfTheTable() {
        for (OperationSpec spec : OperationSpec.values()) {
            JsonNode operation = Contract.document().path("paths").path(ApiEndpoints.BASE + spec.path())
                    .path(spec.method().toLowerCase(Locale.ROOT));
            assertThat(operation.path("operationId").asString()).isEqualTo(spec.id());
            assertThat(operation.path("x-orderly-role").asString()).as(spec.id())
                    .isIn(spec.least().text(), spec.least().text() + " or worker");
        }
    }

    @Test
    void theServerServesTheDocument() {
        Node.Reply reply = node.get("/openapi.json");

        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.json()).isEqualTo(Contract.document());
        assertThat(reply.json().path("openapi").asString()).startsWith("3.1.");
    }

    @Test
    void everySchemaIsValidAndEveryReferenceResolves() {
        var meta = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(com.networknt.schema.SchemaLocation.of("https://json-schema.org/draft/2020-12/schema"));
        Contract.document().path("components").path("schemas").properties()
                .forEach(schema -> assertThat(meta.validate(schema.getValue())).as(schema.getKey()).isEmpty());
        assertThat(Contract.document().findValuesAsString("$ref")).isNotEmpty()
                .allSatisfy(ref -> assertThat(Contract.document().at(ref.substring(1)).isMissingNode()).as(ref)
                        .isFalse());
    }

    @Test
    void everyNameInAPathIsADescribedParameterAndEveryOperationDescribesItsAnswers() {
        for (var path : Contract.document().path("paths").properties()) {
            for (JsonNode operation : path.getValue()) {
                Set<String> described = new TreeSet<>();
                for (JsonNode parameter : operation.path("parameters")) {
                    JsonNode resolved = Contract.resolved(parameter);
                    assertThat(resolved.path("description").asString("")).isNotEmpty();
                    if (resolved.path("in").asString().equals("path")) {
                        described.add(resolved.path("name").asString());
                    }
                }
                Set<String> named = NAME.matcher(path.getKey()).results().map(found -> found.group(1))
                        .collect(Collectors.toCollection(TreeSet::new));
                assertThat(described).as(path.getKey()).isEqualTo(named);
                assertThat(operation.path("operationId").asString("")).isNotEmpty();
                assertThat(operation.path("responses").propertyNames()).contains("500");
            }
        }
    }

    @Test
    void aViewTakesTheQueryParametersOfTheDocumentAndNoOthers() {
        for (ApiEndpoint view : node.endpoints()) {
            String path = view.endpoint().path().text();
            if (!view.endpoint().method().equals("GET") || view.least().isPublic()) {
                continue;
            }
            Set<String> described = new TreeSet<>();
            for (JsonNode parameter : Contract.document().path("paths").path(path).path("get").path("parameters")) {
                if (parameter.path("in").asString().equals("query")) {
                    described.add(parameter.path("name").asString());
                }
            }
            String known = node.get(path.substring(ApiEndpoints.BASE.length()).replace("{queue}", "checkout.fifo")
                    .replace("{room}", "sale").replaceAll("\\{[a-z]+}", "x") + "?nope=1").detail();
            assertThat(known).as(path).contains("\"nope\" is not known here");
            assertThat(known.contains("use none")
                    ? Set.of()
                    : Set.of(known.substring(known.indexOf("known are ") + 10).split(", "))).as(path)
                    .isEqualTo(described);
        }
    }

    @Test
    void answersMayHaveFurtherPropertiesAndRequestsMayNot() {
        for (var schema : Contract.document().path("components").path("schemas").properties()) {
            boolean asked = schema.getKey().endsWith("Request") || schema.getKey().equals("BatchLine");
            assertThat(schema.getValue().findValues("additionalProperties").stream()
                    .anyMatch(further -> further.isBoolean() && !further.asBoolean()))
                    .as(schema.getKey()).isEqualTo(asked);
        }
    }

    @Test
    void everyKindOfProblemFitsTheSchema() {
        JsonNode schema = Contract.document().at("/components/schemas/Problem");
        assertThat(Arrays.stream(ProblemType.values()).map(ProblemType::uri)).doesNotHaveDuplicates()
                .allMatch(uri -> uri.matches(schema.at("/properties/type/pattern").asString()));
    }
}
