package dev.orderly.config;

import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The export of traces.
 *
 * @param url of the collector
 * @param sample share of the traces that is recorded
 * @param headersVariable variable with headers of each request; null for none
 * @param service the name under which spans are shown
 * @param link the page of a trace, see {@link dev.orderly.job.present.JobPresentation}; null for none
 */
public record TraceConfig(URI url, double sample, @Nullable String headersVariable, String service,
        @Nullable String link) {
    private static final Pattern NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

    /** The headers of a variable's text: pairs {@code NAME=VALUE}, separated by commas. Empty if any pair is faulty. */
    public static Map<String, String> headers(@Nullable String text) {
        Map<String, String> headers = new LinkedHashMap<>();
        for (String pair : text == null ? new String[0] : text.split(",", -1)) {
            int equals = pair.indexOf('=');
            String name = equals < 0 ? "" : pair.substring(0, equals).strip();
            String value = pair.substring(equals + 1).strip();
            if (!NAME.matcher(name).matches() || !value.chars().allMatch(c -> c >= ' ' && c <= '~')) {
                return Map.of();
            }
            headers.put(name, value);
        }
        return headers;
    }
}
