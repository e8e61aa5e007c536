package dev.orderly.servlet;

import jakarta.servlet.Filter;
import jakarta.servlet.Servlet;
import java.util.LinkedHashMap;
import java.util.Map;

/** A started container with one application. */
public interface Container extends AutoCloseable {
    /** The containers of these tests. */
    enum Kind {
        TOMCAT, JETTY;

        /** @param context the context path; empty for the root */
        public Container start(String context, Parts parts) {
            return switch (this) {
                case TOMCAT -> new TomcatContainer(context, parts);
                case JETTY -> new JettyContainer(context, parts);
            };
        }
    }

    /**
     * The parts of an application.
     *
     * @param filters in their order, each on all paths
     * @param servlets by their mapping
     * @param threads that serve requests
     * @param lenient whether the container takes backslashes, and escaped and empty segments, which it refuses by
     *     default
     */
    record Parts(Map<String, Filter> filters, Map<String, Servlet> servlets, int threads, boolean lenient) {
        public static Parts none() {
            return new Parts(new LinkedHashMap<>(), new LinkedHashMap<>(), 20, false);
        }

        public Parts withLenient(boolean value) {
            return new Parts(filters, servlets, threads, value);
        }

        public Parts filter(Filter filter) {
            filters.put("filter" + filters.size(), filter);
            return this;
        }

        public Parts servlet(String mapping, Servlet servlet) {
            servlets.put(mapping, servlet);
            return this;
        }
    }

    int port();

    @Override
    void close();
}
