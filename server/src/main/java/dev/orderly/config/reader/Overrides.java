package dev.orderly.config.reader;

import dev.orderly.config.Config;
import dev.orderly.config.schema.KeySpec;
import dev.orderly.config.source.ConfigProblem;
import dev.orderly.config.source.KeyPaths;
import dev.orderly.config.source.ValueOrigin;
import dev.orderly.config.source.YamlNode;
import dev.orderly.text.NearestName;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Overrides the file's values by the environment and the command line.
 *
 * <p>Every single value has a variable: {@code ORDERLY_EDGE_PORT} is {@code edge.port}, and for a queue of the file
 * {@code ORDERLY_QUEUES_EMAILS_TIMEOUT} is {@code queues.emails.timeout}. Lists have none, unless one value may replace
 * the list. An unknown variable that starts with {@code ORDERLY_} is a problem, except variables that Kubernetes
 * derives from names of Services.
 */
final class Overrides {
    /** Variables that other parts read. */
    static final Set<String> OTHERS = Set.of("ORDERLY_SECRET", "ORDERLY_CONFIG", "ORDERLY_URL", "ORDERLY_TOKEN");

    private static final String PREFIX = "ORDERLY_";
    private static final Pattern SERVICE_LINK = Pattern.compile(
            "ORDERLY_([A-Z0-9_]+_)?(SERVICE_HOST|SERVICE_PORT(_[A-Z0-9_]+)?|PORT_[0-9]+_(TCP|UDP)(_[A-Z]+)?)");
    private static final Pattern SERVICE_ADDRESS = Pattern.compile("(tcp|udp|sctp)://.*");

    private final Map<String, String> environment;
    private final List<ConfigProblem> problems;
    private final Map<String, String> pathOf = new HashMap<>();
    private final Set<String> ambiguous = new HashSet<>();

    Overrides(Map<String, String> environment, List<ConfigProblem> problems) {
        this.environment = environment;
        this.problems = problems;
    }

    YamlNode.Section apply(YamlNode.Section file, Map<String, YamlNode> flags) {
        YamlNode.Section changed = group("", Config.FILE.entries(), file);
        for (Map.Entry<String, YamlNode> flag : flags.entrySet()) {
            changed = set(changed, flag.getKey(), flag.getValue());
        }
        environment.keySet().stream().filter(name -> name.startsWith(PREFIX)).sorted().forEach(this::complain);
        return changed;
    }

    private YamlNode.Section group(String path, List<KeySpec> entries, YamlNode.Section section) {
        YamlNode.Section changed = section;
        for (KeySpec entry : entries) {
            changed = entry(path, entry, changed);
        }
        return changed;
    }

    private YamlNode.Section entry(String path, KeySpec entry, YamlNode.Section section) {
        String here = KeyPaths.below(path, entry.name());
        YamlNode below = section.entries().getOrDefault(entry.name(), new YamlNode.Section(Map.of(), section.origin()));
        return switch (entry) {
            case KeySpec.Key<?> _,KeySpec.ByLanguage _ -> key(here, entry.name(), section);
            case KeySpec.Split split -> split(here, split, key(here, entry.name(), section));
            case KeySpec.Listed listed when listed.brief() == KeySpec.Brief.LIST -> key(here, entry.name(), section);
            case KeySpec.Group group when below instanceof YamlNode.Section inner ->
                changed(section, entry.name(), inner, group(here, group.entries(), inner));
            case KeySpec.Named named when below instanceof YamlNode.Section inner ->
                changed(section, entry.name(), inner, named(here, named, inner));
            case KeySpec.Group _,KeySpec.Named _,KeySpec.Many<?> _,KeySpec.Any _,KeySpec.Listed _ -> section;
        };
    }

    /** If the whole is one value, its parts have no variables. */
    private YamlNode.Section split(String path, KeySpec.Split split, YamlNode.Section section) {
        YamlNode below = section.entries().getOrDefault(split.name(), new YamlNode.Section(Map.of(), section.origin()));
        return below instanceof YamlNode.Section parts
                ? changed(section, split.name(), parts, group(path, split.parts(), parts))
                : section;
    }

    private YamlNode.Section named(String path, KeySpec.Named named, YamlNode.Section section) {
        YamlNode.Section changed = section;
        for (Map.Entry<String, YamlNode> each : section.entries().entrySet()) {
            YamlNode.Section before = switch (each.getValue()) {
                case YamlNode.Section inner -> inner;
                case YamlNode.Empty empty -> new YamlNode.Section(Map.of(), empty.origin());
                case YamlNode.Text _,YamlNode.Listing _ -> null;
            };
            if (before != null) {
                changed = changed(changed, each.getKey(), before,
                        group(KeyPaths.below(path, each.getKey()), named.entries(), before));
            }
        }
        return changed;
    }

    private YamlNode.Section key(String path, String name, YamlNode.Section section) {
        String variable = KeyPaths.variable(path);
        if (pathOf.putIfAbsent(variable, path) != null) {
            ambiguous.add(variable);
        }
        String value = environment.get(variable);
        return value == null
                ? section
                : section.with(name, new YamlNode.Text(value, new ValueOrigin.Variable(variable)));
    }

    private static YamlNode.Section changed(YamlNode.Section section, String name, YamlNode.Section before,
            YamlNode.Section after) {
        return before.equals(after) ? section : section.with(name, after);
    }

    private static YamlNode.Section set(YamlNode.Section section, String path, YamlNode value) {
        int dot = path.indexOf('.');
        if (dot < 0) {
            return section.with(path, value);
        }
        String name = path.substring(0, dot);
        YamlNode below = section.entries().getOrDefault(name, new YamlNode.Section(Map.of(), section.origin()));
        return below instanceof YamlNode.Section inner
                ? section.with(name, set(inner, path.substring(dot + 1), value))
                : section;
    }

    private void complain(String variable) {
        ValueOrigin origin = new ValueOrigin.Variable(variable);
        if (ambiguous.contains(variable)) {
            problems.add(
                    ConfigProblem.at("", origin, null,
                            "The variable could mean several queues, rooms or schedules whose names differ"
                                    + " only in punctuation or case",
                            "set the value in the file instead"));
        } else if (!pathOf.containsKey(variable) && !OTHERS.contains(variable)
                && !isServiceLink(variable)) {
            Set<String> known = new HashSet<>(pathOf.keySet());
            known.addAll(OTHERS);
            problems.add(ConfigProblem.at("", origin, null, "No key belongs to this variable",
                    NearestName.of(variable, known)
                            .map(near -> "did you mean " + near + "?")
                            .orElse("unset it; docs/configuration.md lists them")));
        }
    }

    private boolean isServiceLink(String variable) {
        return SERVICE_LINK.matcher(variable).matches() || (variable.endsWith("_PORT")
                && SERVICE_ADDRESS.matcher(environment.getOrDefault(variable, "")).matches());
    }
}
