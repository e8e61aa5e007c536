package dev.orderly.config;

import java.util.List;

/** An entry of the key table. Values are checked, and the reference is written, from this table. */
sealed interface Entry {
    String name();

    /** The purpose, in one or two sentences. */
    String about();

    /** One value. */
    record Key<T>(String name, Kind<T> kind, Absent absent, String about) implements Entry {}

    /** A list of values of one kind. */
    record Many<T>(String name, Kind<T> kind, Absent absent, String about) implements Entry {}

    /** Any value: text, numbers, lists, keys. */
    record Any(String name, Absent absent, String about) implements Entry {}

    /** Keys below a fixed name. */
    record Group(String name, List<Entry> entries, String about) implements Entry {}

    /** Keys below names that the user chooses. */
    record Named(String name, Kind<?> names, List<Entry> entries, String about) implements Entry {}

    /** One value, or keys for its parts. */
    record Split(Key<?> whole, List<Entry> parts, String about) implements Entry {
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
    record Listed(String name, List<Entry> entries, Brief brief, String about) implements Entry {
        Listed(String name, List<Entry> entries, String about) {
            this(name, entries, Brief.NOTHING, about);
        }

        /** The key whose value may replace a section. */
        Key<?> first() {
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
