package dev.orderly.http.gateway;

import java.util.Locale;

/** What kind of answer a client likes better, after RFC 9110, section 12.5.1. */
public final class Preference {
    private Preference() {}

    /**
     * Whether it would rather have a page than JSON. One that takes both alike, as one that says nothing does, is a
     * program, unless it names {@code text/html}.
     *
     * @param accept all {@code Accept} headers, joined by commas; empty for none
     */
    public static boolean isPage(String accept) {
        if (!accept.contains("text/")) {
            return false;
        }
        double page = 0;
        double json = 0;
        int pageRank = 0;
        int jsonRank = 0;
        for (String range : accept.split(",", -1)) {
            String type = range.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
            int any = type.equals("*/*") ? 1 : 0;
            int forPage = type.equals("text/html") ? 3 : type.equals("text/*") ? 2 : any;
            int forJson = type.equals("application/json") || type.equals("application/problem+json")
                    ? 3
                    : type.equals("application/*") ? 2 : any;
            if (forPage > pageRank) {
                pageRank = forPage;
                page = quality(range);
            }
            if (forJson > jsonRank || (forJson == 3 && quality(range) > json)) {
                jsonRank = forJson;
                json = quality(range);
            }
        }
        return page > 0 && (page > json || (page == json && pageRank > jsonRank));
    }

    private static double quality(String range) {
        for (String param : range.split(";", -1)) {
            String text = param.strip().toLowerCase(Locale.ROOT);
            if (text.startsWith("q=")) {
                try {
                    return Math.clamp(Double.parseDouble(text.substring(2)), 0.0, 1.0);
                } catch (NumberFormatException _) {
                    return 0;
                }
            }
        }
        return 1;
    }
}
