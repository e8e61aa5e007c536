package dev.orderly.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
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
final class YamlReader {
    private static final int NESTING_MAX = 20;
    private static final YAMLFactory YAML = YAMLFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(NESTING_MAX).build()).build();

    private final List<Problem> problems;

    YamlReader(List<Problem> problems) {
        this.problems = problems;
    }

    /**
     * The document's section, empty for an empty document; null if it cannot be read, which is reported as a problem.
     */
    Node.@Nullable Section read(String text) {
        try (JsonParser parser = YAML.createParser(ObjectReadContext.empty(), text)) {
            JsonToken first = parser.nextToken();
            Node document = first == null ? new Node.Section(Map.of(), new Origin.Line(1)) : node("", parser);
            if (parser.nextToken() != null) {
                problems.add(Problem.at("", line(parser), null,
                        "The file must be one document, and here another starts",
                        "remove the \"---\" line, or move the rest to a file of its own"));
            }
            if (document instanceof Node.Section section) {
                return section;
            }
            problems.add(Problem.at("", document.origin(), null,
                    "Keys are expected, such as \"store: sqlite:data/orderly.db\"",
                    "see docs/configuration.md"));
            return null;
        } catch (JacksonException e) {
            int line = e.getLocation() == null ? 1 : e.getLocation().getLineNr();
            problems.add(Problem.at("", new Origin.Line(line), null, "This is not YAML: " + firstLine(e),
                    "correct the line; indent with spaces, and quote a text that contains ': ' or '#'"));
            return null;
        }
    }

    private Node node(String path, JsonParser parser) {
        Origin origin = line(parser);
        if (parser.getObjectId() != null || (parser instanceof YAMLParser yaml && yaml.isCurrentAlias())) {
            problems.add(Problem.at(path, origin, null, "Anchors (&name) and aliases (*name) are not accepted",
                    "write the value out, or quote a text that starts with & or *"));
        }
        return switch (parser.currentToken()) {
            case START_OBJECT -> section(path, origin, parser);
            case START_ARRAY -> listing(path, origin, parser);
            case VALUE_NULL -> new Node.Empty(origin);
            case VALUE_TRUE, VALUE_FALSE, VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT ->
                new Node.Text(parser.getString(), origin, true);
            default -> new Node.Text(parser.getString(), origin);
        };
    }

    private Node section(String path, Origin origin, JsonParser parser) {
        Map<String, Node> entries = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = parser.getString();
            Origin at = line(parser);
            String key = Paths.below(path, name);
            parser.nextToken();
            Node before = entries.putIfAbsent(name, node(key, parser));
            if (before != null) {
                problems.add(Problem.at(key, at, null, "The key is repeated; its first value is on " + before.origin(),
                        "remove one of the two"));
            }
        }
        return new Node.Section(entries, origin);
    }

    private Node listing(String path, Origin origin, JsonParser parser) {
        List<Node> items = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            items.add(node(Paths.item(path, items.size()), parser));
        }
        return new Node.Listing(items, origin);
    }

    private static Origin line(JsonParser parser) {
        return new Origin.Line(parser.currentTokenLocation().getLineNr());
    }

    private static String firstLine(JacksonException e) {
        String message = e.getOriginalMessage();
        return message == null ? "it cannot be read" : message.lines().findFirst().orElse("it cannot be read");
    }
}
