package dev.orderly.http.api;

import dev.orderly.about.About;
import dev.orderly.about.ConfigValue;
import dev.orderly.http.openapi.Doc;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The configuration in force. */
@Doc(name = "Config")
record ConfigJson(List<Value> values) {
    /** A key with its value. */
    record Value(String key,
            @Doc("In the notation of the configuration; secrets are masked.") String value,
            @Doc("`operator`: changed while the server runs.") ConfigValue.Source source,
            @Doc("The line, the variable, the option, or the identity behind a change; empty for a"
                    + " default.") String place,
            @Doc("The value after a restart; null if the value stays.") @Nullable String pending) {
        private static Value of(ConfigValue value) {
            return new Value(value.key(), value.value(), value.source(), value.place(), value.pending());
        }
    }

    /** Facts about the server. */
    @Doc(name = "About")
    record Facts(String version, Instant startedAt, String javaVersion, String system,
            @Doc("Its address, without secrets.") String store, Map<String, String> storeFacts,
            List<Listener> listeners,
            @Doc("The reason of each failed check; an empty text for each other check.") Map<String, String> health,
            List<String> warnings) {
        static Facts of(About about) {
            return new Facts(about.version(), about.startedAt(), about.java(), about.system(), about.store(),
                    about.storeFacts(), about.listeners().stream().map(Listener::of).toList(), about.health(),
                    about.warnings());
        }
    }

    /** A listener. */
    record Listener(String name, String address, int port, List<Certificate> certificates) {
        private static Listener of(About.Listener listener) {
            return new Listener(listener.name(), listener.address(), listener.port(), listener.certificates()
                    .stream().map(each -> new Certificate(each.ends(), each.hosts())).toList());
        }
    }

    /** A certificate. */
    record Certificate(Instant ends, List<String> hosts) {}

    /** The end of a reload. */
    @Doc(name = "Reloaded")
    record Reloaded(@Doc("Keys that differed and are in force now.") List<String> changed,
            @Doc("Keys that differ and are in force after a restart.") List<String> restart) {}

    static ConfigJson of(List<ConfigValue> values) {
        return new ConfigJson(values.stream().map(Value::of).toList());
    }
}
