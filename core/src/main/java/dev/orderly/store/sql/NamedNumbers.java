package dev.orderly.store.sql;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * Names in texts of SQL that stand for numbers: a text says what it means, and an index on a number is still found.
 * Thread-safe. Each text is converted once, so texts are those of places in the code.
 */
public final class NamedNumbers {
    private final Map<String, Integer> numbers;
    private final Pattern names;
    private final Map<String, String> known = new ConcurrentHashMap<>();

    public NamedNumbers(Map<String, Integer> numbers) {
        this.numbers = Map.copyOf(numbers);
        this.names = Pattern.compile("\\b(?:" + String.join("|", this.numbers.keySet()) + ")\\b");
    }

    /** The text with the numbers in the place of their names. */
    public String in(String sql) {
        String converted = known.get(sql);
        if (converted == null) {
            converted = names.matcher(sql).replaceAll(name -> Integer.toString(number(name.group())));
            known.put(sql, converted);
        }
        return converted;
    }

    private int number(String name) {
        Integer number = numbers.get(name);
        if (number == null) {
            throw new IllegalStateException("No number has the name " + name);
        }
        return number;
    }
}
