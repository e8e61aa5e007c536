package dev.orderly.config.schema;

import dev.orderly.config.schema.KeySpec.Absent;
import dev.orderly.config.source.ConfigProblem;
import dev.orderly.config.source.KeyPaths;
import dev.orderly.config.source.ValueOrigin;
import dev.orderly.config.source.YamlNode;
import dev.orderly.text.LocalizedText;
import dev.orderly.text.NearestName;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Checks the parsed file against the key table: unknown keys, wrong shapes, missing keys, values that break their rule.
 */
public final class SchemaValidator {
    private final List<ConfigProblem> problems;

    public SchemaValidator(List<ConfigProblem> problems) {
        this.problems = problems;
    }

    public void check(String path, List<KeySpec> known, YamlNode.Section section) {
        Map<String, KeySpec> byName = new LinkedHashMap<>();
        known.forEach(entry -> byName.put(entry.name(), entry));
        section.entries().forEach((name, node) -> {
            KeySpec entry = byName.get(name);
            if (entry == null) {
                unknown(path, name, node, byName.keySet());
            } else {
                check(KeyPaths.below(path, name), entry, node);
            }
        });
        byName.values().stream().filter(entry -> !section.entries().containsKey(entry.name()))
                .forEach(entry -> absent(path, entry, section));
    }

    private void check(String path, KeySpec entry, YamlNode node) {
        switch (entry) {
            case KeySpec.Key<?> key -> value(path, key.kind(), node);
            case KeySpec.ByLanguage texts -> texts(path, texts, node);
            case KeySpec.Many<?> many -> values(path, many, node);
            case KeySpec.Any _ -> {
            }
            case KeySpec.Group group -> {
                if (node instanceof YamlNode.Section section) {
                    check(path, group.entries(), section);
                } else {
                    shape(path, node, "Keys are expected here: " + names(group.entries()), "write them indented below");
                }
            }
            case KeySpec.Split split -> {
                if (node instanceof YamlNode.Section section) {
                    check(path, split.parts(), section);
                } else {
                    value(path, split.whole().kind(), node);
                }
            }
            case KeySpec.Named named -> named(path, named, node);
            case KeySpec.Listed listed -> listed(path, listed, node);
        }
    }

    private void named(String path, KeySpec.Named named, YamlNode node) {
        if (!(node instanceof YamlNode.Section section)) {
            shape(path, node, "Names are expected here, each with its keys", "for instance " + named.names().example()
                    + ": {}");
            return;
        }
        section.entries().forEach((name, below) -> {
            String key = KeyPaths.below(path, name);
            if (named.names().read().apply(name).isEmpty()) {
                problems.add(ConfigProblem.at(path, below.origin(), name, "This is not " + named.names().rule(),
                        "for instance " + named.names().example()));
            }
            if (below instanceof YamlNode.Section inner) {
                check(key, named.entries(), inner);
            } else if (!(below instanceof YamlNode.Empty)) {
                shape(key, below, "Keys are expected here: " + names(named.entries()), "write {} for the defaults");
            }
        });
    }

    private void listed(String path, KeySpec.Listed listed, YamlNode node) {
        if (node instanceof YamlNode.Text && listed.brief() == KeySpec.Brief.LIST) {
            value(path, listed.first().kind(), node);
            return;
        }
        if (!(node instanceof YamlNode.Listing listing)) {
            shape(path, node, "A list is expected here", "start each item with \"- \"");
            return;
        }
        for (int i = 0; i < listing.items().size(); i++) {
            String key = KeyPaths.item(path, i);
            if (listing.items().get(i) instanceof YamlNode.Section section) {
                check(key, listed.entries(), section);
            } else if (listing.items().get(i) instanceof YamlNode.Text text
                    && listed.brief() != KeySpec.Brief.NOTHING) {
                value(key, listed.first().kind(), text);
            } else {
                shape(key, listing.items().get(i), "Keys are expected here: " + names(listed.entries()),
                        "for instance { "
                                + listed.entries().getFirst().name() + ": ... }");
            }
        }
    }

    private void values(String path, KeySpec.Many<?> many, YamlNode node) {
        if (!(node instanceof YamlNode.Listing listing) || listing.items().isEmpty()) {
            shape(path, node, "A list of one or more is expected here: " + many.kind().rule(), "for instance ["
                    + many.kind().example() + "]");
            return;
        }
        for (int i = 0; i < listing.items().size(); i++) {
            value(KeyPaths.item(path, i), many.kind(), listing.items().get(i));
        }
    }

    private void texts(String path, KeySpec.ByLanguage texts, YamlNode node) {
        if (!(node instanceof YamlNode.Section section)) {
            value(path, texts.kind(), node);
            return;
        }
        section.entries().forEach((language, text) -> value(KeyPaths.below(path, language), texts.kind(), text));
        try {
            Map<String, String> tags = new LinkedHashMap<>();
            section.entries().keySet().forEach(language -> tags.put(language, language));
            LocalizedText.of(tags);
        } catch (IllegalArgumentException e) {
            problems.add(ConfigProblem.at(path, section.origin(), null, String.valueOf(e.getMessage()),
                    "for instance { en: " + texts.kind().example() + ", de: ... }"));
        }
    }

    private void value(String path, ValueType<?> kind, YamlNode node) {
        if (!(node instanceof YamlNode.Text text)) {
            shape(path, node, "One value is expected here: " + kind.rule(), "for instance " + kind.example());
        } else if (kind.read().apply(text.value()).isEmpty()) {
            problems.add(
                    ConfigProblem.at(path, text.origin(), text.value(), "It has to be " + kind.rule(),
                            remedy(kind, text)));
        }
    }

    private static String remedy(ValueType<?> kind, YamlNode.Text text) {
        boolean linked = text.origin() instanceof ValueOrigin.Variable && text.value().startsWith("tcp://");
        return linked
                ? "Kubernetes sets this variable for a Service of that name: set enableServiceLinks: false in the pod"
                : "for instance " + kind.example();
    }

    private void shape(String path, YamlNode node, String rule, String remedy) {
        String value = switch (node) {
            case YamlNode.Text text -> text.value();
            case YamlNode.Empty _ -> "";
            case YamlNode.Listing _ -> "[...]";
            case YamlNode.Section _ -> "{...}";
        };
        problems.add(ConfigProblem.at(path, node.origin(), value, rule, remedy));
    }

    private void unknown(String path, String name, YamlNode node, Collection<String> known) {
        String remedy = NearestName.of(name, known).map(near -> "did you mean " + KeyPaths.below(path, near) + "?")
                .orElse("remove it; known here: " + String.join(", ", known));
        problems.add(ConfigProblem.at(KeyPaths.below(path, name), node.origin(), null,
                "There is no such key in this version",
                remedy));
    }

    private void absent(String path, KeySpec entry, YamlNode.Section section) {
        ValueType<?> kind = switch (entry) {
            case KeySpec.Key<?> key -> required(key.kind(), key.absent());
            case KeySpec.ByLanguage texts -> required(texts.kind(), texts.absent());
            case KeySpec.Split split -> required(split.whole().kind(), split.whole().absent());
            case KeySpec.Many<?> many -> required(many.kind(), many.absent());
            case KeySpec.Any _,KeySpec.Group _,KeySpec.Named _,KeySpec.Listed _ -> null;
        };
        if (kind != null) {
            problems.add(
                    ConfigProblem.at(KeyPaths.below(path, entry.name()), section.origin(), null,
                            "It is missing: " + kind.rule(),
                            "for instance " + entry.name() + ": " + kind.example()));
        }
    }

    private static @Nullable ValueType<?> required(ValueType<?> kind, Absent absent) {
        return absent instanceof Absent.Refused ? kind : null;
    }

    private static String names(List<KeySpec> entries) {
        return entries.stream().map(KeySpec::name).collect(Collectors.joining(", "));
    }
}
