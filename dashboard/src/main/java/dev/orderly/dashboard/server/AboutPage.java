package dev.orderly.dashboard.server;

import dev.orderly.about.About;
import dev.orderly.dashboard.page.Figures;
import dev.orderly.dashboard.page.Page;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Facts about the server. */
public record AboutPage(About about) implements Page {
    private static final Pattern BYTES = Pattern.compile("(\\d{1,18}) bytes");

    @Override
    public String title() {
        return "About";
    }

    @Override
    public String template() {
        return "server/about.jte";
    }

    /** A fact with a size in the notation of all pages. */
    public static String shown(String fact) {
        Matcher bytes = BYTES.matcher(fact);
        return bytes.matches() ? Figures.bytes(Long.parseLong(bytes.group(1))) : fact;
    }
}
