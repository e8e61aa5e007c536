package dev.orderly.web.header;

import java.util.List;
import java.util.Random;

/** Random text with some meaningful pieces of headers between arbitrary characters. */
public final class Junk {
    private static final List<String> ODD = List.of("\"", "\\", "=", ";", ",", " ", "\t", ".", "-", "*", "/", "\0",
            "\u00e9", "\u0130", "\ud83d\ude00", "\ud83d", "%00", "$Version=1", "\"\"", ";;", ", ,", "q=", ";q=0");

    private final Random random;
    private final List<String> pieces;

    public Junk(long seed, List<String> pieces) {
        random = new Random(seed);
        this.pieces = pieces;
    }

    public String next() {
        StringBuilder text = new StringBuilder();
        int length = random.nextInt(12);
        for (int i = 0; i < length; i++) {
            switch (random.nextInt(5)) {
                case 0, 1 -> text.append(pieces.get(random.nextInt(pieces.size())));
                case 2, 3 -> text.append(ODD.get(random.nextInt(ODD.size())));
                default -> text.append((char) random.nextInt(random.nextBoolean() ? 0x80 : 0x10000));
            }
        }
        return text.toString();
    }
}
