package dev.orderly.cli.terminal;

import dev.orderly.text.VisibleText;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;

/**
 * Output of a command, {@linkplain VisibleText#lines visible}: whatever a command prints, no character of it commands
 * the terminal. Output in JSON stays the same document.
 */
final class VisibleWriter extends Writer {
    private final PrintWriter out;
    /** The first half of a character whose second half was not written yet; empty for none. */
    private String half = "";

    VisibleWriter(PrintWriter out) {
        this.out = out;
    }

    @Override
    public void write(char[] characters, int from, int length) throws IOException {
        String text = half + new String(characters, from, length);
        int whole = !text.isEmpty() && Character.isHighSurrogate(text.charAt(text.length() - 1))
                ? text.length() - 1
                : text.length();
        half = text.substring(whole);
        String visible = VisibleText.lines(text.substring(0, whole));
        out.write(System.lineSeparator().equals("\n") ? visible : visible.replace("\\u000d\n", "\r\n"));
    }

    @Override
    public void flush() {
        out.flush();
    }

    /** Writes half a character that is left. */
    @Override
    public void close() {
        out.write(VisibleText.lines(half));
        out.close();
    }
}
