package dev.orderly.config;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What was read, before anything is known about its meaning. All plain values are text. */
sealed interface Node {
    Origin origin();

    /** @param literal a number or a truth value, written without quotes */
    record Text(String value, Origin origin, boolean literal) implements Node {
        Text(String value, Origin origin) {
            this(value, origin, false);
        }
    }

    /** A key with nothing behind it. */
    record Empty(Origin origin) implements Node {}

    record Listing(List<Node> items, Origin origin) implements Node {
        public Listing {
            items = List.copyOf(items);
        }
    }

    /** Keys in the order of the file. */
    record Section(Map<String, Node> entries, Origin origin) implements Node {
        public Section {
            entries = Collections.unmodifiableMap(new LinkedHashMap<>(entries));
        }

        /** This section with one entry set. */
        Section with(String name, Node value) {
            Map<String, Node> changed = new LinkedHashMap<>(entries);
            changed.put(name, value);
            return new Section(changed, origin);
        }
    }
}
