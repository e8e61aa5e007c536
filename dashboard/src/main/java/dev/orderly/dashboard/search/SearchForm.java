package dev.orderly.dashboard.search;

import dev.orderly.dashboard.exchange.DashboardRequest;
import dev.orderly.dashboard.exchange.RefusedFormException;
import dev.orderly.job.present.Redaction;
import dev.orderly.job.search.JobSearch;
import dev.orderly.job.search.SearchTerms;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The conditions of a search as a form and an address have them: those of the API.
 *
 * @param redaction masks values, which no condition may name
 */
public record SearchForm(Map<String, String> terms, Redaction redaction) {
    public SearchForm {
        terms = Collections.unmodifiableMap(new LinkedHashMap<>(terms));
    }

    /** The conditions in the query of a page. */
    static SearchForm ofQuery(DashboardRequest request, Redaction redaction) {
        Map<String, String> terms = new LinkedHashMap<>();
        for (String name : SearchTerms.NAMES) {
            String text = request.query(name);
            if (text != null) {
                terms.put(name, text);
            }
        }
        return new SearchForm(terms, redaction);
    }

    /** The conditions in the fields of a form. */
    static SearchForm ofFields(DashboardRequest request, Redaction redaction) {
        Map<String, String> terms = new LinkedHashMap<>();
        for (String name : SearchTerms.NAMES) {
            String text = request.field(name);
            if (text != null) {
                terms.put(name, text);
            }
        }
        return new SearchForm(terms, redaction);
    }

    /** The value of a condition; empty for none. */
    public String term(String name) {
        return terms.getOrDefault(name, "");
    }

    public boolean isEmpty() {
        return terms.isEmpty();
    }

    /** @throws RefusedFormException 422 if a condition is not valid */
    JobSearch search() {
        try {
            return SearchTerms.read(terms::get, redaction);
        } catch (SearchTerms.InvalidException e) {
            throw new RefusedFormException(422, "This cannot be searched",
                    "The condition " + e.name() + " is \"" + e.value() + "\": " + e.remedy());
        }
    }

    /** A path with these conditions and further names with values. */
    public String path(String path, String... more) {
        List<String> pairs = new ArrayList<>();
        terms.forEach((name, value) -> pairs.add(name + "=" + encoded(value)));
        for (int n = 0; n < more.length; n += 2) {
            pairs.add(more[n] + "=" + encoded(more[n + 1]));
        }
        return pairs.isEmpty() ? path : path + "?" + String.join("&", pairs);
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
