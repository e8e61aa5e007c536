package dev.orderly.dashboard.overview;

import org.jspecify.annotations.Nullable;

/**
 * Something that an operator should look at.
 *
 * @param urgent whether work or visitors are lost or held up now
 * @param path of the page where it is dealt with
 * @param counter name of a count that may have grown since the viewer last looked; null without one
 * @param count its value; zero without one
 */
public record AttentionItem(boolean urgent, String text, String detail, String path, @Nullable String counter,
        long count) {
    AttentionItem(boolean urgent, String text, String detail, String path) {
        this(urgent, text, detail, path, null, 0);
    }

    AttentionItem counting(String name, long value) {
        return new AttentionItem(urgent, text, detail, path, name, value);
    }
}
