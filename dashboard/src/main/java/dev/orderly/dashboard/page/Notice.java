package dev.orderly.dashboard.page;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What came of an action, shown at the page's edge and read out.
 *
 * @param good whether the action was done
 * @param detail null for none
 * @param undo the action that takes it back; null if there is none
 * @param link a page to go on with; null for none
 */
public record Notice(boolean good, String title, @Nullable String detail, @Nullable Undo undo, @Nullable Link link) {
    /**
     * An action that takes another one back.
     *
     * @param path below the base
     * @param fields of its form
     */
    public record Undo(String path, Map<String, String> fields) {
        public Undo {
            fields = Map.copyOf(fields);
        }
    }

    /** A notice of an action that was done. */
    public static Notice done(String title) {
        return new Notice(true, title, null, null, null);
    }

    /** A notice of an action that was refused. */
    public static Notice refused(String title, String detail) {
        return new Notice(false, title, detail, null, null);
    }

    public Notice withDetail(@Nullable String text) {
        return new Notice(good, title, text, undo, link);
    }

    public Notice withUndo(String path, Map<String, String> fields) {
        return new Notice(good, title, detail, new Undo(path, fields), link);
    }

    public Notice withLink(String text, String path) {
        return new Notice(good, title, detail, undo, new Link(text, path));
    }
}
