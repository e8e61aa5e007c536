package dev.orderly.text;

import dev.orderly.Internal;

/**
 * The rule for stored text: whole Unicode characters, none of them U+0000. Every store returns such text unchanged;
 * other text makes some stores fail, and some stores confuse it with different text. Ids and names that break the rule
 * are refused; incidental text of a handler, such as the message of an exception, is repaired.
 */
@Internal(to = "dev.orderly")
public final class StoredText {
    /** The rule as the end of a sentence. */
    public static final String RULE = "use whole Unicode characters, without U+0000";

    private static final char REPLACEMENT = '\ufffd';
    private static final String ELLIPSIS = "...";

    private StoredText() {}

    /** Whether a text satisfies the rule. */
    public static boolean isWhole(String text) {
        return firstFlaw(text) < 0;
    }

    /**
     * Refuses a text that breaks the rule.
     *
     * @param what the text's role, as the start of a sentence, such as {@code "The group"}
     * @throws IllegalArgumentException naming the role, the index and the rule
     */
    public static void check(String what, String text) {
        String flaw = flaw(text);
        if (!flaw.isEmpty()) {
            throw new IllegalArgumentException(what + " has " + flaw + ": " + RULE);
        }
    }

    /**
     * The first fault of a text and its index, such as {@code "half a surrogate pair at 3"}; empty if there is none.
     */
    public static String flaw(String text) {
        int at = firstFlaw(text);
        return at < 0 ? "" : (text.charAt(at) == 0 ? "U+0000" : "half a surrogate pair") + " at " + (at + 1);
    }

    /** The text with a replacement character for each character that breaks the rule. */
    public static String repaired(String text) {
        if (isWhole(text)) {
            return text;
        }
        StringBuilder whole = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            if (isPairAt(text, i)) {
                whole.append(text.charAt(i)).append(text.charAt(i + 1));
                i++;
            } else {
                char c = text.charAt(i);
                whole.append(c == 0 || Character.isSurrogate(c) ? REPLACEMENT : c);
            }
        }
        return whole.toString();
    }

    /**
     * As {@link #repaired}, cut to at most {@code max} characters. A cut text ends in dots, and no character is split.
     */
    public static String repaired(String text, int max) {
        if (text.length() <= max) {
            return repaired(text);
        }
        int end = max - ELLIPSIS.length();
        return repaired(text.substring(0, isPairAt(text, end - 1) ? end - 1 : end)) + ELLIPSIS;
    }

    private static int firstFlaw(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (isPairAt(text, i)) {
                i++;
            } else if (c == 0 || Character.isSurrogate(c)) {
                return i;
            }
        }
        return -1;
    }

    private static boolean isPairAt(String text, int at) {
        return at >= 0 && at + 1 < text.length() && Character.isSurrogatePair(text.charAt(at), text.charAt(at + 1));
    }
}
