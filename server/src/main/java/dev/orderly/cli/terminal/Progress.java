package dev.orderly.cli.terminal;

import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/** A bar on standard error that shows how far a long command has come; nothing unless a person sees it. */
public final class Progress implements AutoCloseable {
    private final @Nullable ProgressBar bar;

    /**
     * A bar at its start.
     *
     * @param task what the command does
     * @param unit what is counted, with a leading space
     */
    public Progress(Terminal terminal, String task, String unit, long total) {
        this.bar = terminal.interactive()
                ? new ProgressBarBuilder().setTaskName(task).setInitialMax(total).setUnit(unit, 1).showSpeed()
                        .setStyle(ProgressBarStyle.ASCII).build()
                : null;
    }

    /** Moves the bar on. */
    public void step(long count) {
        if (bar != null) {
            bar.stepBy(count);
        }
    }

    @Override
    public void close() {
        if (bar != null) {
            bar.close();
        }
    }
}
