package dev.orderly.testkit.contract.input;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** Texts that command a terminal, forge a line, show another text than the one that is there, or begin a formula. */
public final class HostileTexts {
    /** One text of each kind, with whole characters. */
    public static final List<String> KINDS = List.of("\u001b[2J\u001b[1;1H", "\u001b]0;title\u0007", "\u009b31m",
            "\u009d52;c;aGk=\u009c", "\u001b]8;;http://evil.example\u001b\\x\u001b]8;;\u001b\\", "a\rb", "a\nERROR b",
            "a\u0085b", "a\u2028b", "a\u2029b", "a\bb\u007f", "\u202egnp.exe", "\u2066a\u2069", "\u200ea\u200f",
            "a\u200bb\u200cc\u200dd\u2060\ufeff", "\udb40\udc41\udb40\udc42", "\ufe0f\udb40\udd00\u3164", "\u00ada",
            "=1+1", "+1", "-1", "@SUM(A1)", "\t=1", " =1", "\uff1d1", "a\u000b\u000cb", "\u061ca", "\ufff9a\ufffb");

    private static final Pattern HIDDEN = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Cs}\\x{fe00}-\\x{fe0f}"
            + "\\x{3164}\\x{e0000}-\\x{e0fff}]");

    private HostileTexts() {}

    /** Texts of all kinds, alone and in random order among harmless ones. */
    public static List<String> some(long seed, int mixed) {
        Random random = new Random(seed);
        List<String> all = new ArrayList<>(KINDS);
        IntStream.range(0, mixed).forEach(_ -> {
            StringBuilder text = new StringBuilder();
            for (int n = 2 + random.nextInt(4); n > 0; n--) {
                text.append(KINDS.get(random.nextInt(KINDS.size()))).append((char) ('a' + random.nextInt(26)));
            }
            all.add(text.toString());
        });
        return all;
    }

    /** All kinds in one text. */
    public static String all() {
        return String.join("", KINDS);
    }

    /** Whether a text has a character that could do harm. */
    public static boolean isHostile(String text) {
        return HIDDEN.matcher(text).find();
    }
}
