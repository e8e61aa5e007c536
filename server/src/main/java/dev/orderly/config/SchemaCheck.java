package dev.orderly.config;

import dev.orderly.config.Entry.Absent;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Checks the parsed file against the key table: unknown keys, wrong shapes, missing keys, values that break their rule.
 */
final class SchemaCheck {
    private final List<Problem> problems;

    SchemaCheck(List<Problem> problems) {
        this.problems = problems;
    }

    void check(String path, List<Entry> known, Node.Section section) {
        Map<String, Entry> byName = new LinkedHashMap<>();
        known.forEach(entry -> byName.put(entry.name(), entry));
        section.entries().forEach((name, node) -> {
            Entry entry = byName.get(name);
            if (entry == null) {
                unknown(path, name, node, byName.keySet());
            } else {
                check(Paths.below(path, name), entry, node);
            }
        });
        byName.values().stream().filter(entry -> !section.entries().containsKey(entry.name()))
                .forEach(entry -> absent(path, entry, section));
    }

    private void check(String path, Entry entry, Node node) {
        switch (entry) {
            case Entry.Key<?> key -> value(path, key.kind(), node);
            case Entry.Many<?> many -> values(path, many, node);
            case Entry.Any _ -> {
            }
            case Entry.Group group -> {
                if (node instanceof Node.Section section) {
                    check(path, group.entries(), section);
                } else {
                    shape(path, node, "Keys are expected here: " + names(group.entries()), "write them indented below");
                }
            }
            case Entry.Split split -> {
                if (node instanceof Node.Section section) {
                    check(path, split.parts(), section);
                } else {
                    value(path, split.whole().kind(), node);
                }
            }
            case Entry.Named named -> named(path, named, node);
            case Entry.Listed listed -> listed(path, listed, node);
        }
    }

    private void named(String path, Entry.Named named, Node node) {
        if (!(node instanceof Node.Section section)) {
            shape(path, node, "Names are expected here, each with its keys", "for instance " + named.names().example()
                    + ": {}");
            return;
        }
        section.entries().forEach((name, below) -> {
            String key = Paths.below(path, name);
            if (named.names().read().apply(name).isEmpty()) {
                problems.add(Problem.at(path, below.origin(), name, "This is not " + named.names().rule(),
                        "for instance " + named.names().example()));
            }
            if (below instanceof Node.Section inner) {
                check(key, named.entries(), inner);
            } else if (!(below instanceof Node.Empty)) {
                shape(key, below, "Keys are expected here: " + names(named.entries()), "write {} for the defaults");
            }
        });
    }

    private void listed(String path, Entry.Listed listed, Node node) {
        if (node instanceof Node.Text && listed.brief() == Entry.Brief.LIST) {
            value(path, listed.first().kind(), node);
            return;
        }
        if (!(node instanceof Node.Listing listing)) {
            shape(path, node, "A list is expected here", "start each item with \"- \"");
            return;
        }
        for (int i = 0; i < listing.items().size(); i++) {
            String key = Paths.item(path, i);
            if (listing.items().get(i) instanceof Node.Section section) {
                check(key, listed.entries(), section);
            } else if (listing.items().get(i) instanceof Node.Text text && listed.brief() != Entry.Brief.NOTHING) {
                value(key, listed.first().kind(), text);
            } else {
                shape(key, listing.items().get(i), "Keys are expected here: " + names(listed.entries()),
                        "for instance { "
                                + listed.entries().getFirst().name() + ": ... }");
            }
        }
    }

    private void values(String path, Entry.Many<?> many, Node node) {
        if (!(node instanceof Node.Listing listing) || listing.items().isEmpty()) {
            shape(path, node, "A list of one or more is expected here: " + many.kind().rule(), "for instance ["
                    + many.kind().example() + "]");
            return;
        }
        for (int i = 0; i < listing.items().size(); i++) {
            value(Paths.item(path, i), many.kind(), listing.items().get(i));
        }
    }

    private void value(String path, Kind<?> kind, Node node) {
        if (!(node instanceof Node.Text text)) {
            shape(path, node, "One value is expected here: " + kind.rule(), "for instance " + kind.example());
        } else if (kind.read().apply(text.value()).isEmpty()) {
            problems.add(
                    Problem.at(path, text.origin(), text.value(), "It has to be " + kind.rule(), remedy(kind, text)));
        }
    }

    private static String remedy(Kind<?> kind, Node.Text text) {
        boolean linked = text.origin() instanceof Origin.Variable && text.value().startsWith("tcp://");
        return linked
                ? "Kubernetes sets this variable for a Service of that name: set enableServiceLinks: false in the pod"
                : "for instance " + kind.example();
    }

    private void shape(String path, Node node, String rule, String remedy) {
        String value = switch (node) {
            case Node.Text text -> text.value();
            case Node.Empty _ -> "";
            case Node.Listing _ -> "[...]";
            case Node.Section _ -> "{...}";
        };
        problems.add(Problem.at(path, node.origin(), value, rule, remedy));
    }

    private void unknown(String path, String name, Node node, Collection<String> known) {
        String remedy = Paths.nearest(name, known).map(near -> "did you mean " + Paths.below(path, near) + "?")
                .orElse("remove it; known here: " + String.join(", ", known));
        problems.add(Problem.at(Paths.below(path, name), node.origin(), null, "There is no such key in this version",
                remedy));
    }

    private void absent(String path, Entry entry, Node.Section section) {
        Kind<?> kind = switch (entry) {
            case Entry.Key<?> key -> required(key.kind(), key.absent());
            case Entry.Split split -> required(split.whole().kind(), split.whole().absent());
            case Entry.Many<?> many -> required(many.kind(), many.absent());
            case Entry.Any _,Entry.Group _,Entry.Named _,Entry.Listed _ -> null;
        };
        if (kind != null) {
            problems.add(
                    Problem.at(Paths.below(path, entry.name()), section.origin(), null, "It is missing: " + kind.rule(),
                            "for instance " + entry.name() + ": " + kind.example()));
        }
    }

    private static @Nullable Kind<?> required(Kind<?> kind, Absent absent) {
        return absent instanceof Absent.Refused ? kind : null;
    }

    private static String names(List<Entry> entries) {
        return entries.stream().map(Entry::name).collect(Collectors.joining(", "));
    }
}
