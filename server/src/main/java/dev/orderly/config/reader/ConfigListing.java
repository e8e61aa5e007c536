package dev.orderly.config.reader;

import dev.orderly.about.ConfigValue;
import dev.orderly.about.ConfigValue.Source;
import dev.orderly.config.Config;
import dev.orderly.config.schema.KeySpec;
import dev.orderly.config.schema.KeySpec.Absent;
import dev.orderly.config.schema.ValueType;
import dev.orderly.config.source.KeyPaths;
import dev.orderly.config.source.ValueOrigin;
import dev.orderly.config.source.YamlNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Every key of a checked configuration with its value and the source of the value, in the order of the key table.
 * Secrets are masked; a value of any shape, such as a payload, is not shown.
 */
final class ConfigListing {
    /** The most characters of a value. */
    private static final int SHOWN = 500;

    private final List<ConfigValue> values = new ArrayList<>();

    private ConfigListing() {}

    static List<ConfigValue> of(YamlNode.Section file) {
        ConfigListing listing = new ConfigListing();
        listing.section("", Config.FILE.entries(), file);
        return listing.values;
    }

    private void section(String path, List<KeySpec> entries, YamlNode.Section section) {
        entries.forEach(entry -> entry(KeyPaths.below(path, entry.name()), entry, section.entries().get(entry.name())));
    }

    private void entry(String path, KeySpec entry, @Nullable YamlNode node) {
        switch (entry) {
            case KeySpec.Key<?> key -> value(path, key.kind(), key.absent(), node);
            case KeySpec.Split split -> {
                if (node instanceof YamlNode.Section parts) {
                    section(path, split.parts(), parts);
                } else {
                    value(path, split.whole().kind(), split.whole().absent(), node);
                }
            }
            case KeySpec.ByLanguage texts -> {
                if (node instanceof YamlNode.Section languages) {
                    languages.entries().forEach((language, text) -> value(KeyPaths.below(path, language),
                            texts.kind(), texts.absent(), text));
                } else {
                    value(path, texts.kind(), texts.absent(), node);
                }
            }
            case KeySpec.Many<?> many -> many(path, many, node);
            case KeySpec.Any any -> {
                if (node == null) {
                    absent(path, any.absent());
                } else {
                    add(path, "(not shown)", node.origin());
                }
            }
            case KeySpec.Group group -> {
                if (node instanceof YamlNode.Section inner) {
                    section(path, group.entries(), inner);
                } else if (!group.isSwitch()) {
                    section(path, group.entries(), empty(new ValueOrigin.FileLine(1)));
                }
            }
            case KeySpec.Named named -> {
                if (node instanceof YamlNode.Section names) {
                    names.entries().forEach((name, each) -> section(KeyPaths.below(path, name), named.entries(),
                            each instanceof YamlNode.Section inner ? inner : empty(each.origin())));
                }
            }
            case KeySpec.Listed listed -> listed(path, listed, node);
        }
    }

    private void listed(String path, KeySpec.Listed listed, @Nullable YamlNode node) {
        switch (node) {
            case YamlNode.Text text -> value(path, listed.first().kind(), listed.first().absent(), text);
            case YamlNode.Listing items -> {
                for (int i = 0; i < items.items().size(); i++) {
                    String here = KeyPaths.item(path, i);
                    switch (items.items().get(i)) {
                        case YamlNode.Section section -> section(here, listed.entries(), section);
                        case YamlNode.Text text -> value(here, listed.first().kind(), listed.first().absent(), text);
                        case YamlNode.Empty _,YamlNode.Listing _ -> {
                        }
                    }
                }
            }
            case null -> {
            }
            case YamlNode.Empty _,YamlNode.Section _ -> {
            }
        }
    }

    private void value(String path, ValueType<?> kind, Absent absent, @Nullable YamlNode node) {
        if (node instanceof YamlNode.Text text) {
            add(path, kind.shown().apply(text.value()), text.origin());
        } else {
            absent(path, absent);
        }
    }

    private void many(String path, KeySpec.Many<?> many, @Nullable YamlNode node) {
        if (node instanceof YamlNode.Listing listing) {
            UnaryOperator<String> shown = many.kind().shown();
            add(path, listing.items().stream().filter(YamlNode.Text.class::isInstance).map(YamlNode.Text.class::cast)
                    .map(text -> shown.apply(text.value())).collect(Collectors.joining(", ")), listing.origin());
        } else {
            absent(path, many.absent());
        }
    }

    private void absent(String path, Absent absent) {
        switch (absent) {
            case Absent.Means(String text) -> values.add(new ConfigValue(path, text, Source.DEFAULT, ""));
            case Absent.Depends(String words) -> values.add(new ConfigValue(path, words, Source.DEFAULT, ""));
            case Absent.Refused _ -> {
            }
        }
    }

    private void add(String path, String text, ValueOrigin origin) {
        String shown = text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "...";
        values.add(switch (origin) {
            case ValueOrigin.FileLine line -> new ConfigValue(path, shown, Source.FILE, line.toString());
            case ValueOrigin.Variable(String name) -> new ConfigValue(path, shown, Source.VARIABLE, name);
            case ValueOrigin.Flag(String name) -> new ConfigValue(path, shown, Source.OPTION, name);
        });
    }

    private static YamlNode.Section empty(ValueOrigin origin) {
        return new YamlNode.Section(Map.of(), origin);
    }
}
