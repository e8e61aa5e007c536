package dev.orderly.config.source;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLParser;

/**
 * Reads one YAML document as text values with their lines. Refuses constructs that could hide a mistake: a repeated
 * key, anchors and aliases, a second document.
 */
public final class YamlReader {
    private static final int NESTING_MAX = 20;
    private static final YAMLFactory YAML = YAMLFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(NESTING_MAX).build()).build();

    private final List<ConfigProblem> problems;

    public YamlReader(List<ConfigProblem> problems) {
        this.problems = problems;
    }

    /**
     * The document's section, empty for an empty document; null if it cannot be read, which is reported as a problem.
     */
    public YamlNode.@Nullable Section read(String text) {
        try (JsonParser parser = YAML.createParser(ObjectReadContext.empty(), text)) {
            JsonToken first = parser.nextToken();
            YamlNode document = first == null
                    ? new YamlNode.Section(Map.of(), new ValueOrigin.FileLine(1))
                    : node("", parser);
            if (parser.nextToken() != null) {
                problems.add(ConfigProblem.at("", line(parser), null,
                        "The file must be one document, and here another starts",
                        "remove the \"---\" line, or move the rest to a file of its own"));
            }
            if (document instanceof YamlNode.Section section) {
                return section;
            }
            problems.add(ConfigProblem.at("", document.origin(), null,
                    "Keys are expected, such as \"store: sqlite:data/orderly.db\"",
                    "see docs/configuration.md"));
            return null;
        } catch (JacksonException e) {
            int line = e.getLocation() == null ? 1 : e.getLocation().getLineNr();
            problems.add(ConfigProblem.at("", new ValueOrigin.FileLine(line), null, "This is not YAML: " + flaw(e),
                    "correct the line; indent with spaces, and quote a text that contains ': ' or '#'"));
            return null;
        }
    }

    private YamlNode node(String path, JsonParser parser) {
        ValueOrigin origin = line(parser);
        if (parser.getObjectId() != null || (parser instanceof YAMLParser yaml && yaml.isCurrentAlias())) {
            problems.add(ConfigProblem.at(path, origin, null, "Anchors (&name) and aliases (*name) are not accepted",
                    "write the value out, or quote a text that starts with & or *"));
        }
        return switch (parser.currentToken()) {
            case START_OBJECT -> section(path, origin, parser);
            case START_ARRAY -> listing(path, origin, parser);
            case VALUE_NULL -> new YamlNode.Empty(origin);
            case VALUE_TRUE, VALUE_FALSE, VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT ->
                new YamlNode.Text(parser.getString(), origin, true);
            default -> new YamlNode.Text(parser.getString(), origin);
        };
    }

    private YamlNode section(String path, ValueOrigin origin, JsonParser parser) {
        Map<String, YamlNode> entries = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = parser.getString();
            ValueOrigin at = line(parser);
            String key = KeyPaths.below(path, name);
            parser.nextToken();
            YamlNode before = entries.putIfAbsent(name, node(key, parser));
            if (before != null) {
                problems.add(
                        ConfigProblem.at(key, at, null, "The key is repeated; its first value is on " + before.origin(),
                                "remove one of the two"));
            }
        }
        return new YamlNode.Section(entries, origin);
    }

    private YamlNode listing(String path, ValueOrigin origin, JsonParser parser) {
        List<YamlNode> items = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            items.add(node(KeyPaths.item(path, items.size()), parser));
        }
        return new YamlNode.Listing(items, origin);
    }

    private static ValueOrigin line(JsonParser parser) {
        return new ValueOrigin.FileLine(parser.currentTokenLocation().getLineNr());
    }

    /** What is wrong, rather than what was being read when it was found. */
    private static String flaw(JacksonException e) {
        if (e.getCause() instanceof MarkedYamlEngineException marked && marked.getProblem() != null) {
            return marked.getProblem();
        }
        String message = e.getOriginalMessage();
        return message == null ? "it cannot be read" : message.lines().findFirst().orElse("it cannot be read");
    }
}
