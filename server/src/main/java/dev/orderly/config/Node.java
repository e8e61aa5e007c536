package dev.orderly.config;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The parsed file before its meaning is checked. All plain values are text. */
sealed interface Node {
    Origin origin();

    /** @param literal whether it is a number or a truth value, written without quotes */
    record Text(String value, Origin origin, boolean literal) implements Node {
        Text(String value, Origin origin) {
            this(value, origin, false);
        }
    }

    /** A key without a value. */
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

        /** This section with one entry replaced or added. */
        Section with(String name, Node value) {
            Map<String, Node> changed = new LinkedHashMap<>(entries);
            changed.put(name, value);
            return new Section(changed, origin);
        }
    }
}
