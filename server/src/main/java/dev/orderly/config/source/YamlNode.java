package dev.orderly.config.source;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The parsed file before its meaning is checked. All plain values are text. */
public sealed interface YamlNode {
    ValueOrigin origin();

    /** @param literal whether it is a number or a truth value, written without quotes */
    record Text(String value, ValueOrigin origin, boolean literal) implements YamlNode {
        public Text(String value, ValueOrigin origin) {
            this(value, origin, false);
        }
    }

    /** A key without a value. */
    record Empty(ValueOrigin origin) implements YamlNode {}

    record Listing(List<YamlNode> items, ValueOrigin origin) implements YamlNode {
        public Listing {
            items = List.copyOf(items);
        }
    }

    /** Keys in the order of the file. */
    record Section(Map<String, YamlNode> entries, ValueOrigin origin) implements YamlNode {
        public Section {
            entries = Collections.unmodifiableMap(new LinkedHashMap<>(entries));
        }

        /** This section with one entry replaced or added. */
        public Section with(String name, YamlNode value) {
            Map<String, YamlNode> changed = new LinkedHashMap<>(entries);
            changed.put(name, value);
            return new Section(changed, origin);
        }
    }
}
