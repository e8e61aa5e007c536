package dev.orderly.dashboard.audit;

import dev.orderly.access.store.AuditEntry;
import dev.orderly.dashboard.exchange.DashboardRequest;
import dev.orderly.dashboard.page.Page;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Entries of the audit log, the newest first.
 *
 * @param next end of this page; null at the end of the log
 */
public record AuditPage(List<AuditEntry> entries, Filter filter, @Nullable String next) implements Page {
    /** What the viewer asked for, by field. */
    public record Filter(Map<String, String> values) {
        static Filter of(DashboardRequest request) {
            Map<String, String> values = new TreeMap<>();
            for (String name : List.of("name", "operation", "object", "since", "until")) {
                String value = request.query(name);
                if (value != null) {
                    values.put(name, value);
                }
            }
            return new Filter(values);
        }

        /** The value of a field; empty without one. */
        public String of(String name) {
            return values.getOrDefault(name, "");
        }

        /** As a query, with one field more. */
        public String query(String name, String value) {
            Map<String, String> all = new TreeMap<>(values);
            all.put(name, value);
            return "?" + all.entrySet().stream()
                    .map(entry -> entry.getKey() + "=" + URLEncoder.encode(entry.getValue(), StandardCharsets.UTF_8))
                    .collect(Collectors.joining("&"));
        }
    }

    @Override
    public String title() {
        return "Audit log";
    }

    @Override
    public String template() {
        return "audit/audit.jte";
    }

    /** The state of the outcome's badge. */
    public static String badge(AuditEntry entry) {
        return switch (entry.outcome()) {
            case DONE -> "good";
            case REFUSED -> "warn";
            case FAILED, UNKNOWN -> "bad";
        };
    }
}
