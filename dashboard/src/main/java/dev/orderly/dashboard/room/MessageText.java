package dev.orderly.dashboard.room;

import dev.orderly.text.LocalizedText;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A message to visitors as one text to edit: the text for all other languages first, then each language after its tag
 * in brackets, such as {@code [de] Gleich geht es weiter.}
 */
final class MessageText {
    private static final Pattern TAG = Pattern.compile("(?m)^\\[([A-Za-z0-9-]{1,35})]\\h*");

    private MessageText() {}

    /** The text to edit; empty for no message. */
    static String of(@Nullable LocalizedText message) {
        if (message == null) {
            return "";
        }
        String others = message.fallback() == null ? "" : message.fallback() + "\n";
        return (others + message.byLanguage().entrySet().stream()
                .map(each -> "[" + each.getKey() + "] " + each.getValue()).collect(Collectors.joining("\n"))).strip();
    }

    /**
     * The message of an edited text; null for an empty text.
     *
     * @throws IllegalArgumentException naming the language that breaks a rule, and the rule
     */
    static @Nullable LocalizedText parse(@Nullable String edited) {
        if (edited == null || edited.isBlank()) {
            return null;
        }
        String text = edited.replace("\r\n", "\n").strip();
        Matcher tags = TAG.matcher(text);
        Map<String, String> texts = new LinkedHashMap<>();
        String tag = LocalizedText.DEFAULT;
        int begin = 0;
        for (MatchResult found : tags.results().toList()) {
            put(texts, tag, text.substring(begin, found.start()));
            tag = found.group(1);
            begin = found.end();
        }
        put(texts, tag, text.substring(begin));
        return LocalizedText.of(texts);
    }

    private static void put(Map<String, String> texts, String tag, String text) {
        boolean absent = tag.equals(LocalizedText.DEFAULT) && text.isBlank();
        if (!absent && texts.put(tag, text.strip()) != null) {
            throw new IllegalArgumentException("The language " + tag + " has two texts: remove one");
        }
    }
}
