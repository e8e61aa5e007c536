package dev.orderly.web.message;

import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The header lines of a request, in the order sent. Letter case of names does not matter. Used by one thread. */
public interface Headers {
    /** The first value of a name; null if there is none. */
    @Nullable
    String get(String name);

    /** All values of a name, in order; a copy. */
    List<String> getAll(String name);

    boolean contains(String name);

    Headers add(String name, String value);

    /** Removes all lines of a name. */
    Headers remove(String name);

    /** Calls an action with the name and value of each line. */
    void forEach(BiConsumer<? super String, ? super String> action);
}
