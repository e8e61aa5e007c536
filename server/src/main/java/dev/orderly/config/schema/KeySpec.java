package dev.orderly.config.schema;

import java.util.List;

/** An entry of the key table. Values are checked, and the reference is written, from this table. */
public sealed interface KeySpec {
    String name();

    /** The purpose, in one or two sentences. */
    String about();

    /** One value. */
    record Key<T>(String name, ValueType<T> kind, Absent absent, String about) implements KeySpec {}

    /** One text, or a text for each language. */
    record ByLanguage(String name, ValueType<String> kind, Absent absent, String about) implements KeySpec {}

    /** A list of values of one kind. */
    record Many<T>(String name, ValueType<T> kind, Absent absent, String about) implements KeySpec {}

    /** Any value: text, numbers, lists, keys. */
    record Any(String name, Absent absent, String about) implements KeySpec {}

    /**
     * Keys below a fixed name.
     *
     * @param isSwitch whether its absence switches a function off, so that no default of its keys is in force
     */
    record Group(String name, List<KeySpec> entries, String about, boolean isSwitch) implements KeySpec {
        /** A group whose defaults are in force without it. */
        public Group(String name, List<KeySpec> entries, String about) {
            this(name, entries, about, false);
        }
    }

    /** Keys below names that the user chooses. */
    record Named(String name, ValueType<?> names, List<KeySpec> entries, String about) implements KeySpec {}

    /** One value, or keys for its parts. */
    record Split(Key<?> whole, List<KeySpec> parts, String about) implements KeySpec {
        @Override
        public String name() {
            return whole.name();
        }
    }

    /**
     * A list of sections with the same keys.
     *
     * @param brief what the first key's value alone may replace
     */
    record Listed(String name, List<KeySpec> entries, Brief brief, String about) implements KeySpec {
        public Listed(String name, List<KeySpec> entries, String about) {
            this(name, entries, Brief.NOTHING, about);
        }

        /** The key whose value may replace a section. */
        public Key<?> first() {
            if (entries.getFirst() instanceof Key<?> key) {
                return key;
            }
            throw new IllegalStateException("The first entry of " + name + " is no key");
        }
    }

    /** What a single plain value may replace. */
    enum Brief {
        NOTHING,
        /** An item. */
        ITEM,
        /** An item, or a list of one item; then the list has a variable too. */
        LIST
    }

    /** The meaning of an absent key. */
    sealed interface Absent {
        /** The key is required. */
        record Refused() implements Absent {}

        /** The same as this text. */
        record Means(String text) implements Absent {}

        /** Decided by the reader; described in words. */
        record Depends(String words) implements Absent {}
    }
}
