package dev.orderly.dashboard.update;

import java.util.LinkedHashMap;
import java.util.Map;

/** The regions of a page's HTML, which the template {@code layout/region.jte} marks. */
final class Regions {
    private static final String BEGIN = "<!--region:";
    private static final String BEGIN_END = "-->";
    private static final String END = "<!--/region:";

    private Regions() {}

    /** The HTML of each region by its id, in the order of the page. Regions do not contain each other. */
    static Map<String, String> of(String html) {
        Map<String, String> regions = new LinkedHashMap<>();
        int at = html.indexOf(BEGIN);
        while (at >= 0) {
            int nameEnd = html.indexOf(BEGIN_END, at);
            String id = html.substring(at + BEGIN.length(), nameEnd);
            int begin = nameEnd + BEGIN_END.length();
            int end = html.indexOf(END + id + BEGIN_END, begin);
            if (end < 0) {
                throw new IllegalStateException("Region " + id + " has no end: use the template layout/region.jte");
            }
            regions.put(id, html.substring(begin, end));
            at = html.indexOf(BEGIN, end);
        }
        return regions;
    }
}
