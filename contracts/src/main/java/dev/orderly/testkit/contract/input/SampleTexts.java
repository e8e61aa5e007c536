package dev.orderly.testkit.contract.input;

import dev.orderly.text.StoredText;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** Texts that the rule of {@link StoredText} allows and that a store may confuse. */
public final class SampleTexts {
    /**
     * Texts without control characters that are all different, though they look alike, or are equal to a collation, a
     * normal form, a case mapping, a column type or a pattern.
     */
    public static final List<String> ALIKE = List.of("\u00e9", "e\u0301", "\u212b", "\u00c5", "A\u030a",
            "a\u0345\u0301",
            "a\u0301\u0345", "a", "A", "\u0430", "\uff41", "a ", " a", "a\u00a0", "a\u200b", "a\u00ad", "\ufeffa",
            "\u202ea", "i", "I", "\u0131", "\u0130", "k", "K", "\u212a", "ss", "\u00df", "\u1e9e", "fi", "\ufb01", "1",
            "01", "1.0", "1e0", "\u0661", "null", "NULL", "true", "%", "_", "?", "\\", "\\\\", "'", "''", "\"", "{}",
            "[]", "$1", ",", "\ud83d\ude42", "\ud83d\ude42\ufe0f", "\ud83d\ude43", "\ufffd", "\ufffe", "\uffff",
            "\ud7ff", "\ue000", "\udbff\udfff");

    private static final int LAST_OF_THE_BMP = 0xffff;
    /** The distance between samples of the planes above U+FFFF. */
    private static final int STEP = 293;

    private SampleTexts() {}

    /**
     * Every allowed character up to U+FFFF, and samples of each plane above, in texts of at most {@code length}
     * characters.
     */
    static List<String> everyCharacter(int length) {
        List<String> texts = new ArrayList<>();
        StringBuilder text = new StringBuilder(length);
        for (int c = 1; c <= Character.MAX_CODE_POINT; c += c < LAST_OF_THE_BMP ? 1 : STEP) {
            String character = Character.toString(c);
            if (StoredText.isWhole(character)) {
                if (text.length() + character.length() > length) {
                    texts.add(text.toString());
                    text.setLength(0);
                }
                text.append(character);
            }
        }
        texts.add(text.toString());
        return texts;
    }

    /** {@link #ALIKE} and {@link #everyCharacter}. */
    public static List<String> all(int length) {
        List<String> texts = new ArrayList<>(ALIKE);
        texts.addAll(everyCharacter(length));
        return texts;
    }

    /** The beginning of a text, at most {@code length} Java characters. */
    public static String start(String text, int length) {
        if (text.length() <= length) {
            return text;
        }
        return text.substring(0, Character.isHighSurrogate(text.charAt(length - 1)) ? length - 1 : length);
    }

    /** A text of incompressible characters that take three bytes each, with the given last character. */
    public static String longest(int length, char last) {
        Random random = new Random(length);
        StringBuilder text = new StringBuilder(length);
        IntStream.range(1, length).forEach(_ -> text.append((char) (0x1000 + random.nextInt(0x8000))));
        return text.append(last).toString();
    }
}
