package dev.orderly.web.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;

/** The texts of pages for visitors in one language. One instance for each language, see {@link Languages}. */
public final class Language {
    private final String tag;
    private final Plural plural;
    private final Map<String, String> texts;
    private final long groupFrom;

    private Language(String tag, Map<String, String> texts) {
        this.tag = tag;
        this.plural = Plural.of(tag);
        this.texts = texts;
        this.groupFrom = Long.parseLong(text("groupFrom"));
    }

    static Language read(String tag) {
        String file = "text/" + tag + ".properties";
        Properties read = new Properties();
        try (InputStream in = Language.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException(file + " is missing beside " + Language.class.getName());
            }
            read.load(new InputStreamReader(in, StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Map<String, String> texts = new TreeMap<>();
        read.forEach((key, text) -> texts.put((String) key, (String) text));
        return new Language(tag, texts);
    }

    /** The tag as in {@code Content-Language}, such as {@code pt}. */
    public String tag() {
        return tag;
    }

    /** The rule by which numbers choose a form. */
    public Plural plural() {
        return plural;
    }

    /** The names of all texts. */
    public Set<String> keys() {
        return texts.keySet();
    }

    /** @throws IllegalStateException if there is no such text */
    public String text(String key) {
        String text = texts.get(key);
        if (text == null) {
            throw new IllegalStateException("Language " + tag + " has no text " + key);
        }
        return text;
    }

    /** The text's form for a number, still with its placeholders. */
    public String text(String key, long n) {
        return text(key + "." + plural.form(n));
    }

    /** The text's form for a number, with the number inserted. */
    public String counted(String key, long n) {
        return text(key, n).replace("{n}", number(n));
    }

    /**
     * A whole number with the language's group separators. Western digits in all languages, as the script writes them.
     */
    public String number(long n) {
        String digits = Long.toString(n);
        if (n < groupFrom) {
            return digits;
        }
        StringBuilder grouped = new StringBuilder(digits);
        for (int at = digits.length() - 3; at > 0; at -= 3) {
            grouped.insert(at, text("group"));
        }
        return grouped.toString();
    }

    @Override
    public String toString() {
        return tag;
    }
}
