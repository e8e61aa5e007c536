package dev.orderly.config.schema;

import dev.orderly.config.schema.KeySpec.Absent;
import dev.orderly.config.source.ConfigProblem;
import dev.orderly.config.source.KeyPaths;
import dev.orderly.config.source.YamlNode;
import dev.orderly.text.LocalizedText;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A section that was checked against the key table, read by its keys. A value that breaks a rule was reported and is
 * empty here.
 */
public record CheckedSection(String path, YamlNode.Section node, Context context) {
    /**
     * What the whole file is read with.
     *
     * @param folder of relative paths
     * @param environment variables of the process, some of which hold secrets
     * @param problems those found so far; further ones are added
     */
    public record Context(Path folder, Map<String, String> environment, List<ConfigProblem> problems) {}

    /** The value, or the meaning of its absence; empty if it is wrong, or absent without a fixed meaning. */
    public <T> Optional<T> value(KeySpec.Key<T> key) {
        YamlNode given = node.entries().get(key.name());
        if (given == null) {
            return key.absent() instanceof Absent.Means(String text) ? key.kind().read().apply(text) : Optional.empty();
        }
        return given instanceof YamlNode.Text text ? key.kind().read().apply(text.value()) : Optional.empty();
    }

    /** The text in all its languages; empty if it is absent or wrong. */
    public Optional<LocalizedText> text(KeySpec.ByLanguage key) {
        Map<String, String> texts = new LinkedHashMap<>();
        switch (node.entries().get(key.name())) {
            case YamlNode.Section section -> section.entries().forEach((language, text) -> read(key, text)
                    .ifPresent(valid -> texts.put(language, valid)));
            case YamlNode given -> read(key, given).ifPresent(valid -> texts.put(LocalizedText.DEFAULT, valid));
            case null -> {
                // absent
            }
        }
        try {
            return texts.isEmpty() ? Optional.empty() : Optional.of(LocalizedText.of(texts));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    private static Optional<String> read(KeySpec.ByLanguage key, YamlNode node) {
        return node instanceof YamlNode.Text text ? key.kind().read().apply(text.value()) : Optional.empty();
    }

    /** The valid values of a list; empty if there is none. */
    public <T> List<T> values(KeySpec.Many<T> key) {
        return node.entries().get(key.name()) instanceof YamlNode.Listing listing
                ? listing.items().stream().filter(YamlNode.Text.class::isInstance).map(YamlNode.Text.class::cast)
                        .flatMap(text -> key.kind().read().apply(text.value()).stream()).toList()
                : List.of();
    }

    public boolean has(KeySpec key) {
        return node.entries().containsKey(key.name());
    }

    /** The section below a key; empty if there is none. */
    public CheckedSection below(KeySpec key) {
        return below(key.name());
    }

    public CheckedSection below(String name) {
        YamlNode below = node.entries().get(name);
        return new CheckedSection(KeyPaths.below(path, name),
                below instanceof YamlNode.Section section ? section : none(), context);
    }

    /** The sections of a list; a plain value in place of a section is returned as a section. */
    public List<CheckedSection> items(KeySpec.Listed key) {
        YamlNode below = node.entries().get(key.name());
        List<YamlNode> items = switch (below) {
            case YamlNode.Listing listing -> listing.items();
            case YamlNode.Text text when key.brief() == KeySpec.Brief.LIST -> List.of(text);
            case null, default -> List.of();
        };
        return IntStream.range(0, items.size())
                .mapToObj(i -> new CheckedSection(KeyPaths.item(KeyPaths.below(path, key.name()), i),
                        item(key, items.get(i)), context))
                .toList();
    }

    private YamlNode.Section item(KeySpec.Listed key, YamlNode item) {
        return switch (item) {
            case YamlNode.Section section -> section;
            case YamlNode.Text text when key.brief() != KeySpec.Brief.NOTHING ->
                new YamlNode.Section(Map.of(key.first().name(), text), text.origin());
            case YamlNode.Text _,YamlNode.Empty _,YamlNode.Listing _ -> new YamlNode.Section(Map.of(), item.origin());
        };
    }

    /** The path in its absolute form; otherwise as {@link #value}. */
    public Optional<Path> path(KeySpec.Key<Path> key) {
        return value(key).map(this::resolved);
    }

    /** A path that is relative to the folder of the file, in its absolute form. */
    public Path resolved(Path relative) {
        return context.folder.resolve(relative).normalize();
    }

    /** The value of a variable of the process; null if it is not set. */
    public @Nullable String variable(String name) {
        return context.environment.get(name);
    }

    /** Reports a problem with a value of this section, or with the section itself where the key is absent. */
    public void report(KeySpec key, String rule, String remedy) {
        YamlNode given = node.entries().get(key.name());
        String value = given instanceof YamlNode.Text text ? text.value() : null;
        context.problems.add(ConfigProblem.at(KeyPaths.below(path, key.name()),
                given == null ? node.origin() : given.origin(), value, rule, remedy));
    }

    /** Reports a problem with this section. */
    public void report(String rule, String remedy) {
        context.problems.add(ConfigProblem.at(path, node.origin(), null, rule, remedy));
    }

    private YamlNode.Section none() {
        return new YamlNode.Section(Map.of(), node.origin());
    }
}
