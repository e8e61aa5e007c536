package dev.orderly.config;

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
    static final Set<String> OTHERS = Set.of("ORDERLY_SECRET", "ORDERLY_CONFIG", "ORDERLY_URL");

    private static final String PREFIX = "ORDERLY_";
    private static final Pattern SERVICE_LINK = Pattern.compile(
            "ORDERLY_([A-Z0-9_]+_)?(SERVICE_HOST|SERVICE_PORT(_[A-Z0-9_]+)?|PORT_[0-9]+_(TCP|UDP)(_[A-Z]+)?)");
    private static final Pattern SERVICE_ADDRESS = Pattern.compile("(tcp|udp|sctp)://.*");

    private final Map<String, String> environment;
    private final List<Problem> problems;
    private final Map<String, String> pathOf = new HashMap<>();
    private final Set<String> ambiguous = new HashSet<>();

    Overrides(Map<String, String> environment, List<Problem> problems) {
        this.environment = environment;
        this.problems = problems;
    }

    Node.Section apply(Node.Section file, Map<String, Given> flags) {
        Node.Section changed = group("", Table.FILE.entries(), file);
        for (Map.Entry<String, Given> flag : flags.entrySet()) {
            changed = set(changed, flag.getKey(), new Node.Text(flag.getValue().value(), flag.getValue().origin()));
        }
        environment.keySet().stream().filter(name -> name.startsWith(PREFIX)).sorted().forEach(this::complain);
        return changed;
    }

    /** A value and its origin. */
    record Given(String value, Origin origin) {}

    private Node.Section group(String path, List<Entry> entries, Node.Section section) {
        Node.Section changed = section;
        for (Entry entry : entries) {
            changed = entry(path, entry, changed);
        }
        return changed;
    }

    private Node.Section entry(String path, Entry entry, Node.Section section) {
        String here = Paths.below(path, entry.name());
        Node below = section.entries().getOrDefault(entry.name(), new Node.Section(Map.of(), section.origin()));
        return switch (entry) {
            case Entry.Key<?> _ -> key(here, entry.name(), section);
            case Entry.Split split -> split(here, split, key(here, entry.name(), section));
            case Entry.Listed listed when listed.brief() == Entry.Brief.LIST -> key(here, entry.name(), section);
            case Entry.Group group when below instanceof Node.Section inner ->
                changed(section, entry.name(), inner, group(here, group.entries(), inner));
            case Entry.Named named when below instanceof Node.Section inner ->
                changed(section, entry.name(), inner, named(here, named, inner));
            case Entry.Group _,Entry.Named _,Entry.Many<?> _,Entry.Any _,Entry.Listed _ -> section;
        };
    }

    /** If the whole is one value, its parts have no variables. */
    private Node.Section split(String path, Entry.Split split, Node.Section section) {
        Node below = section.entries().getOrDefault(split.name(), new Node.Section(Map.of(), section.origin()));
        return below instanceof Node.Section parts
                ? changed(section, split.name(), parts, group(path, split.parts(), parts))
                : section;
    }

    private Node.Section named(String path, Entry.Named named, Node.Section section) {
        Node.Section changed = section;
        for (Map.Entry<String, Node> each : section.entries().entrySet()) {
            Node.Section before = switch (each.getValue()) {
                case Node.Section inner -> inner;
                case Node.Empty empty -> new Node.Section(Map.of(), empty.origin());
                case Node.Text _,Node.Listing _ -> null;
            };
            if (before != null) {
                changed = changed(changed, each.getKey(), before,
                        group(Paths.below(path, each.getKey()), named.entries(), before));
            }
        }
        return changed;
    }

    private Node.Section key(String path, String name, Node.Section section) {
        String variable = Paths.variable(path);
        if (pathOf.putIfAbsent(variable, path) != null) {
            ambiguous.add(variable);
        }
        String value = environment.get(variable);
        return value == null ? section : section.with(name, new Node.Text(value, new Origin.Variable(variable)));
    }

    private static Node.Section changed(Node.Section section, String name, Node.Section before, Node.Section after) {
        return before.equals(after) ? section : section.with(name, after);
    }

    private static Node.Section set(Node.Section section, String path, Node.Text value) {
        int dot = path.indexOf('.');
        if (dot < 0) {
            return section.with(path, value);
        }
        String name = path.substring(0, dot);
        Node below = section.entries().getOrDefault(name, new Node.Section(Map.of(), section.origin()));
        return below instanceof Node.Section inner
                ? section.with(name, set(inner, path.substring(dot + 1), value))
                : section;
    }

    private void complain(String variable) {
        Origin origin = new Origin.Variable(variable);
        if (ambiguous.contains(variable)) {
            problems.add(
                    Problem.at("", origin, null,
                            "The variable could mean several queues, rooms or schedules whose names differ"
                                    + " only in punctuation or case",
                            "set the value in the file instead"));
        } else if (!pathOf.containsKey(variable) && !OTHERS.contains(variable)
                && !isServiceLink(variable)) {
            Set<String> known = new HashSet<>(pathOf.keySet());
            known.addAll(OTHERS);
            problems.add(Problem.at("", origin, null, "No key belongs to this variable", Paths.nearest(variable, known)
                    .map(near -> "did you mean " + near + "?").orElse("unset it; docs/configuration.md lists them")));
        }
    }

    private boolean isServiceLink(String variable) {
        return SERVICE_LINK.matcher(variable).matches() || (variable.endsWith("_PORT")
                && SERVICE_ADDRESS.matcher(environment.getOrDefault(variable, "")).matches());
    }
}
