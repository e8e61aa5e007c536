package dev.orderly.config;

import java.util.List;

/** What may stand under a name in the file: the table from which values are checked and the reference is written. */
sealed interface Entry {
    String name();

    /** What it is for, in one or two sentences. */
    String about();

    /** One value. */
    record Key<T>(String name, Kind<T> kind, Absent absent, String about) implements Entry {}

    /** A list of values of one kind. */
    record Many<T>(String name, Kind<T> kind, Absent absent, String about) implements Entry {}

    /** Any value at all: text, numbers, lists, keys. */
    record Any(String name, Absent absent, String about) implements Entry {}

    /** Keys below a fixed name. */
    record Group(String name, List<Entry> entries, String about) implements Entry {}

    /** Keys below names the user chooses. */
    record Named(String name, Kind<?> names, List<Entry> entries, String about) implements Entry {}

    /** One value, or keys that say the same in parts. */
    record Split(Key<?> whole, List<Entry> parts, String about) implements Entry {
        @Override
        public String name() {
            return whole.name();
        }
    }

    /**
     * A list of sections that all have the same keys.
     *
     * @param brief the first key's value may stand for a section that has nothing else
     */
    record Listed(String name, List<Entry> entries, Brief brief, String about) implements Entry {
        Listed(String name, List<Entry> entries, String about) {
            this(name, entries, Brief.NOTHING, about);
        }

        /** The key whose value may stand alone. */
        Key<?> first() {
            if (entries.getFirst() instanceof Key<?> key) {
                return key;
            }
            throw new IllegalStateException("The first entry of " + name + " is no key");
        }
    }

    /** What one plain value may stand for. */
    enum Brief {
        NOTHING,
        /** An item. */
        ITEM,
        /** An item, or the whole list of one; then it has a variable too. */
        LIST
    }

    /** What holds when a key is not there. */
    sealed interface Absent {
        /** It has to be there. */
        record Refused() implements Absent {}

        /** It counts as if this text stood there. */
        record Means(String text) implements Absent {}

        /** Said in words; the reader decides. */
        record Depends(String words) implements Absent {}
    }
}
