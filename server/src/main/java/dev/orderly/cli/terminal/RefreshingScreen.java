package dev.orderly.cli.terminal;

import dev.orderly.text.VisibleText;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jline.terminal.Attributes;
import org.jline.terminal.Size;
import org.jline.utils.AttributedString;
import org.jline.utils.Display;
import org.jline.utils.InfoCmp.Capability;

/**
 * The whole screen of a terminal: lines that are drawn again, and keys without Enter. The text that was on the screen
 * comes back when it is closed. For one thread.
 */
public final class RefreshingScreen implements AutoCloseable {
    /** The key of {@link #key} when none was pressed, or the input has ended. */
    public static final int NO_KEY = -2;
    public static final int END_OF_INPUT = -1;

    private static final Size SMALLEST = new Size(80, 24);

    private final org.jline.terminal.Terminal terminal;
    private final Display display;
    private final Attributes before;
    private Size size = SMALLEST;

    public RefreshingScreen(org.jline.terminal.Terminal terminal) {
        this.terminal = terminal;
        this.display = new Display(terminal, true);
        this.before = terminal.enterRawMode();
        terminal.puts(Capability.enter_ca_mode);
        terminal.puts(Capability.cursor_invisible);
        measure();
        display.clear();
    }

    /** The columns of the screen. */
    public int width() {
        return size.getColumns();
    }

    /** The lines of the screen. */
    public int height() {
        return size.getRows();
    }

    /** Draws lines from the top, {@linkplain VisibleText visible}; the rest of the screen is empty. */
    public void draw(List<AttributedString> lines) {
        measure();
        display.update(lines.stream().limit(height()).map(this::visible).toList(), 0);
        terminal.flush();
    }

    private AttributedString visible(AttributedString line) {
        String text = line.toString();
        return VisibleText.isVisible(text)
                ? line
                : new AttributedString(VisibleText.of(text), line.styleAt(0)).columnSubSequence(0, width());
    }

    /** The next key, or {@link #NO_KEY} after the wait, or {@link #END_OF_INPUT}. */
    public int key(Duration wait) throws IOException {
        return terminal.reader().read(Math.max(1, wait.toMillis()));
    }

    @Override
    public void close() {
        terminal.puts(Capability.cursor_normal);
        terminal.puts(Capability.exit_ca_mode);
        terminal.setAttributes(before);
        terminal.flush();
    }

    /** A terminal without a known size counts as 80 columns and 24 lines. */
    private void measure() {
        Size now = terminal.getSize();
        size = now.getColumns() > 0 && now.getRows() > 0 ? new Size(now.getColumns(), now.getRows()) : SMALLEST;
        display.resize(size.getRows(), size.getColumns());
    }
}
