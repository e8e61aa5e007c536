package dev.orderly.text;

import dev.orderly.Internal;
import java.util.HexFormat;

/**
 * Text for the eyes of a person: every character that has no shape of its own is escaped as in JSON, such as
 * {@code \u001b}, and each UTF-16 unit of a character beyond U+FFFF by itself. These are control characters, line and
 * paragraph separators, format characters (zero-width characters, directions of text, tags), other characters that
 * renderers ignore, such as variation selectors and fillers, and halves of surrogate pairs. Such a character could
 * command a terminal, forge a line, or show another text than the one that is there.
 *
 * <p>A backslash stays as it is, so that the escaped form of a JSON document is the same document.
 */
@Internal(to = "dev.orderly")
public final class VisibleText {
    private static final HexFormat HEX = HexFormat.of();
    private static final int FIRST_OTHER = 0x7f;

    private VisibleText() {}

    /** The text in one line. */
    public static String of(String text) {
        return escaped(text, false);
    }

    /** The text with its tabs and line feeds, for texts that have lines, such as a stack trace. */
    public static String lines(String text) {
        return escaped(text, true);
    }

    /** Whether the text is the same without an escape, as one line. */
    public static boolean isVisible(String text) {
        return firstHidden(text, false) < 0;
    }

    private static String escaped(String text, boolean lines) {
        int first = firstHidden(text, lines);
        if (first < 0) {
            return text;
        }
        StringBuilder visible = new StringBuilder(text.length() + 32).append(text, 0, first);
        for (int at = first; at < text.length();) {
            int character = text.codePointAt(at);
            int length = Character.charCount(character);
            if (isHidden(character, lines)) {
                for (int unit = at; unit < at + length; unit++) {
                    visible.append("\\u").append(HEX.toHexDigits(text.charAt(unit)));
                }
            } else {
                visible.append(text, at, at + length);
            }
            at += length;
        }
        return visible.toString();
    }

    private static int firstHidden(String text, boolean lines) {
        for (int at = 0; at < text.length();) {
            int character = text.codePointAt(at);
            if (isHidden(character, lines)) {
                return at;
            }
            at += Character.charCount(character);
        }
        return -1;
    }

    private static boolean isHidden(int character, boolean lines) {
        if (character < FIRST_OTHER) {
            return character < ' ' && !(lines && (character == '\n' || character == '\t'));
        }
        return switch (Character.getType(character)) {
            case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE ->
                true;
            default -> isIgnored(character);
        };
    }

    /** Characters of the property Default_Ignorable_Code_Point of Unicode 17 that are no format characters. */
    private static boolean isIgnored(int character) {
        return switch (character) {
            case 0x034f, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x2065, 0x3164, 0xffa0 -> true;
            default -> (character >= 0x180b && character <= 0x180f) || (character >= 0xfe00 && character <= 0xfe0f)
                    || (character >= 0xfff0 && character <= 0xfff8) || (character >= 0xe0000 && character <= 0xe0fff);
        };
    }
}
