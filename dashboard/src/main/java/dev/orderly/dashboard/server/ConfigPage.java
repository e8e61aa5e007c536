package dev.orderly.dashboard.server;

import dev.orderly.about.ConfigValue;
import dev.orderly.dashboard.page.Page;
import java.util.List;
import java.util.Locale;

/**
 * The configuration in force.
 *
 * @param values that match
 * @param asked the text of the search; empty for all
 * @param own whether defaults are left out
 */
public record ConfigPage(List<ConfigValue> values, String asked, boolean own) implements Page {
    @Override
    public String title() {
        return "Configuration";
    }

    @Override
    public String template() {
        return "server/config.jte";
    }

    /** The source in words. */
    public static String source(ConfigValue value) {
        return switch (value.source()) {
            case DEFAULT -> "default";
            case FILE -> "file, " + value.place();
            case OPERATOR -> value.place().isEmpty() ? "an operator" : value.place();
            case VARIABLE, OPTION -> value.source().name().toLowerCase(Locale.ROOT) + " " + value.place();
        };
    }
}
