package dev.orderly.spring.config;

import dev.orderly.spring.StartRefusedException;
import dev.orderly.text.NearestName;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The problems of a configuration, collected so that all of them are reported at once. Not thread-safe. */
public final class PropertyProblems {
    private final Set<String> found = new LinkedHashSet<>();

    /**
     * @param key the property or attribute
     * @param rule what is wrong and how to correct it
     */
    public void add(String key, String rule) {
        found.add(key + ": " + rule);
    }

    /** The value of an action, or another one if the action finds its input wrong, which is a problem of the key. */
    public <T extends @Nullable Object> T check(String key, Supplier<T> action, T otherwise) {
        try {
            return action.get();
        } catch (IllegalArgumentException e) {
            add(key, String.valueOf(e.getMessage()));
            return otherwise;
        }
    }

    /**
     * Checks a list of methods that are not adopted.
     *
     * @param part the properties, such as {@code orderly.schedules}
     * @param annotation of the methods
     * @param seen the names of all methods that have it
     */
    public void checkLeft(String part, String annotation, Set<String> left, boolean adopt, Set<String> seen) {
        for (String name : left) {
            if (!adopt) {
                add(part + ".leave", "It has no meaning without " + part + ".adopt: true");
            } else if (!seen.contains(name)) {
                add(part + ".leave: " + name, "There is no such method with " + annotation + ": "
                        + NearestName.of(name, seen).map(near -> "did you mean " + near + "?")
                                .orElse("known here: " + seen));
            }
        }
    }

    /** @throws StartRefusedException with every problem, if there is one */
    public void refuse() {
        if (!found.isEmpty()) {
            throw new StartRefusedException(found.size() == 1
                    ? found.iterator().next()
                    : "There are " + found.size() + " problems:\n  - " + String.join("\n  - ", found),
                    "Correct what is named above and start again. docs/spring.md lists the properties.");
        }
    }
}
