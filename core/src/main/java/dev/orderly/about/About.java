package dev.orderly.about;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Facts about a running server.
 *
 * @param version of the program
 * @param startedAt start of the server
 * @param java version and vendor of the Java runtime
 * @param system operating system and processor
 * @param store the store's name, without secrets
 * @param storeFacts what the store tells about itself, such as the size of its file, by name
 * @param health the reason of each failed check by its name, and an empty text for each other check
 * @param warnings faults with which the server is ready nevertheless
 */
public record About(String version, Instant startedAt, String java, String system, String store,
        Map<String, String> storeFacts, List<Listener> listeners, Map<String, String> health, List<String> warnings) {
    public About {
        storeFacts = Collections.unmodifiableMap(new LinkedHashMap<>(storeFacts));
        listeners = List.copyOf(listeners);
        health = Collections.unmodifiableMap(new LinkedHashMap<>(health));
        warnings = List.copyOf(warnings);
    }

    /**
     * A listener of the server.
     *
     * @param name its key in the configuration
     * @param address in use
     * @param certificates empty without TLS
     */
    public record Listener(String name, String address, int port, List<Certificate> certificates) {
        public Listener {
            certificates = List.copyOf(certificates);
        }
    }

    /**
     * A certificate in use.
     *
     * @param hosts the names that it is for
     * @param ends the moment from which clients refuse it
     */
    public record Certificate(List<String> hosts, Instant ends) {
        public Certificate {
            hosts = List.copyOf(hosts);
        }
    }
}
