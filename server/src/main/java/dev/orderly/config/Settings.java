package dev.orderly.config;

import dev.orderly.config.Entry.Absent;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A section that was checked against the key table, read by its keys. A value that breaks a rule was reported and is
 * empty here.
 */
record Settings(String path, Node.Section node) {
    /** The value, or the meaning of its absence; empty if it is wrong, or absent without a fixed meaning. */
    <T> Optional<T> value(Entry.Key<T> key) {
        Node given = node.entries().get(key.name());
        if (given == null) {
            return key.absent() instanceof Absent.Means(String text) ? key.kind().read().apply(text) : Optional.empty();
        }
        return given instanceof Node.Text text ? key.kind().read().apply(text.value()) : Optional.empty();
    }

    /** The valid values of a list; empty if there is none. */
    <T> List<T> values(Entry.Many<T> key) {
        return node.entries().get(key.name()) instanceof Node.Listing listing
                ? listing.items().stream().filter(Node.Text.class::isInstance).map(Node.Text.class::cast)
                        .flatMap(text -> key.kind().read().apply(text.value()).stream()).toList()
                : List.of();
    }

    boolean has(Entry key) {
        return node.entries().containsKey(key.name());
    }

    /** The section below a key; empty if there is none. */
    Settings below(Entry key) {
        return below(key.name());
    }

    Settings below(String name) {
        Node below = node.entries().get(name);
        return new Settings(Paths.below(path, name), below instanceof Node.Section section ? section : none());
    }

    /** The sections of a list; a plain value in place of a section is returned as a section. */
    List<Settings> items(Entry.Listed key) {
        Node below = node.entries().get(key.name());
        List<Node> items = switch (below) {
            case Node.Listing listing -> listing.items();
            case Node.Text text when key.brief() == Entry.Brief.LIST -> List.of(text);
            case null, default -> List.of();
        };
        return IntStream.range(0, items.size()).mapToObj(i -> new Settings(Paths.item(Paths.below(path, key.name()), i),
                item(key, items.get(i)))).toList();
    }

    private Node.Section item(Entry.Listed key, Node item) {
        return switch (item) {
            case Node.Section section -> section;
            case Node.Text text when key.brief() != Entry.Brief.NOTHING ->
                new Node.Section(Map.of(key.first().name(), text), text.origin());
            case Node.Text _,Node.Empty _,Node.Listing _ -> new Node.Section(Map.of(), item.origin());
        };
    }

    /** A problem with a value of this section, or with the section itself where the key is absent. */
    Problem problem(Entry key, String rule, String remedy) {
        Node given = node.entries().get(key.name());
        String value = given instanceof Node.Text text ? text.value() : null;
        return Problem.at(Paths.below(path, key.name()), given == null ? node.origin() : given.origin(), value, rule,
                remedy);
    }

    private Node.Section none() {
        return new Node.Section(Map.of(), node.origin());
    }
}
