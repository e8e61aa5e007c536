package dev.orderly.boxoffice.web;

import java.util.Collection;
import java.util.stream.Collectors;

/**
 * Finished markup. It can only be built from a template, and every value is escaped unless it is {@code Html} itself,
 * so a visitor's text cannot become markup by an omission.
 */
record Html(String markup) {
    static final Html NONE = new Html("");

    /**
     * A template with its gaps filled in order.
     *
     * @param template constant markup with {@code {}} for each value; values in attributes stand in double quotes
     * @throws IllegalArgumentException if there are more or fewer values than gaps
     */
    static Html of(String template, Object... values) {
        StringBuilder out = new StringBuilder(template.length() + 64);
        int from = 0;
        for (Object value : values) {
            int gap = template.indexOf("{}", from);
            if (gap < 0) {
                throw new IllegalArgumentException(values.length + " values for fewer gaps in: " + template);
            }
            out.append(template, from, gap).append(value instanceof Html html ? html.markup : escape(value));
            from = gap + 2;
        }
        if (template.indexOf("{}", from) >= 0) {
            throw new IllegalArgumentException(values.length + " values for more gaps in: " + template);
        }
        return new Html(out.append(template, from, template.length()).toString());
    }

    static Html join(Collection<Html> parts) {
        return new Html(parts.stream().map(Html::markup).collect(Collectors.joining("\n")));
    }

    static Html when(boolean condition, Html html) {
        return condition ? html : NONE;
    }

    private static String escape(Object value) {
        return value.toString().replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;")
                .replace("'", "&#39;");
    }
}
