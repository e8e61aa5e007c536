package dev.orderly.dist;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** docs/kubernetes against the schemas of its kinds, with every misspelt key as an error. */
class KubernetesTest {
    private static final Path MANIFESTS = Path.of(System.getProperty("basedir", "."))
            .resolve("../docs/kubernetes/orderly.yaml");

    private static List<JsonNode> manifests() throws Exception {
        List<JsonNode> all = new ArrayList<>();
        for (String text : Files.readString(MANIFESTS).split("(?m)^---$", -1)) {
            all.add(new YAMLMapper().readTree(text));
        }
        return all;
    }

    private static Schema schema(String kind) throws Exception {
        try (InputStream in = Objects.requireNonNull(KubernetesTest.class
                .getResourceAsStream("kubernetes.schema.json"))) {
            ObjectNode all = (ObjectNode) new JsonMapper().readTree(in);
            String definition = all.path("kinds").path(kind).asString();
            all.putArray("allOf").addObject().put("$ref", "#/definitions/" + definition);
            return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_7).getSchema(all);
        }
    }

    @Test
    void theManifestsAreValid() throws Exception {
        List<String> kinds = new ArrayList<>();
        for (JsonNode manifest : manifests()) {
            String kind = manifest.path("kind").asString();
            kinds.add(kind);
            assertThat(schema(kind).validate(manifest)).as(kind).isEmpty();
        }
        assertThat(kinds).containsExactly("ConfigMap", "Deployment", "Service", "PodDisruptionBudget");
    }

    @Test
    void aMisspeltKeyIsFound() throws Exception {
        JsonNode deployment = manifests().get(1);
        ((ObjectNode) deployment.path("spec").path("template").path("spec").path("containers").path(0))
                .put("livenesProbe", "");

        assertThat(schema("Deployment").validate(deployment)).isNotEmpty();
    }

    @Test
    void theImageIsThatOfThisVersion() throws Exception {
        assertThat(Files.readString(MANIFESTS)).contains("image: orderly:" + Packages.VERSION + "\n");
    }
}
