package dev.orderly.cli;

import dev.orderly.config.reader.ConfigFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/**
 * The options of {@code serve}, and the configuration that they name: a file, the {@code orderly.yaml} of the folder,
 * or no file and one room in front of an origin.
 */
final class ServeOptions {
    /** The file that is taken without an option. */
    static final Path DEFAULT = Path.of("orderly.yaml");

    private static final String STORE = "sqlite:data/orderly.db";
    private static final String MADE = "store: " + STORE + "\nrooms: { site: { match: [\"/**\"] } }\n";
    private static final String ROOM = "rooms.site.";
    private static final int HTTP = 80;
    private static final int HTTPS = 443;

    @Option(names = "--config", paramLabel = "FILE", defaultValue = "${env:ORDERLY_CONFIG}",
            description = "The configuration file; ORDERLY_CONFIG, or orderly.yaml of this folder, if not given.")
    private @Nullable Path config;
    @Option(names = "--port", paramLabel = "N", description = "Overrides edge.port; 0 is any free port.")
    private @Nullable Integer port;
    @Option(names = "--admin-port", paramLabel = "N", description = "Overrides admin.port; 0 is any free port.")
    private @Nullable Integer adminPort;
    @Option(names = "--store", paramLabel = "URL",
            description = "Overrides store; without a file " + STORE + " if not given.")
    private @Nullable String store;
    @ArgGroup(exclusive = false, multiplicity = "0..1",
            heading = "%nWithout a configuration file, one waiting room named site in front of an origin:%n")
    private @Nullable Site site;

    ServeOptions() {}

    /** One room in front of one origin. */
    static final class Site {
        @Option(names = "--origin", paramLabel = "URL", required = true,
                description = "The site behind the room, such as http://127.0.0.1:9000.")
        private String origin = "";
        @Option(names = "--capacity", paramLabel = "N", description = "The most visitors inside at once.")
        private @Nullable String capacity;
        @Option(names = "--rate", paramLabel = "RATE",
                description = "The most visitors that enter in a period, such as \"5 per 15s\".")
        private @Nullable String rate;
        @Option(names = "--match", paramLabel = "GLOB", split = ",",
                description = "The protected paths, such as \"/tickets/**\"; all if not given.")
        private @Nullable List<String> match;
        @Option(names = "--tls", paramLabel = "FILE", split = ",",
                description = "Serves https: a certificate and its key (cert.pem,key.pem), or one file with both.")
        private @Nullable List<Path> tls;
        @Option(names = "--acme", paramLabel = "HOST", split = ",",
                description = "Serves https with a certificate for these hosts that Let's Encrypt issues and renews;"
                        + " you agree to its terms. Listens on ports 80 and 443.")
        private @Nullable List<String> acme;

        Site() {}
    }

    /**
     * The configuration with the overrides of the options, unread.
     *
     * @param folder the folder of relative paths
     * @throws CommandFailedException if the options contradict each other or name no configuration
     */
    ConfigFile file(Path folder, Map<String, String> environment) {
        ConfigFile file = site == null
                ? new ConfigFile(named(folder), environment)
                : withoutFile(site, folder, environment);
        return file.override("--port", "edge.port", port).override("--admin-port", "admin.port", adminPort)
                .override("--store", "store", store);
    }

    /** The name of the configuration in messages. */
    String name() {
        return site == null ? Objects.requireNonNullElse(config, DEFAULT).toString() : "the options";
    }

    private Path named(Path folder) {
        if (config != null) {
            return folder.resolve(config);
        }
        Path found = folder.resolve(DEFAULT);
        if (!Files.exists(found)) {
            throw new CommandFailedException(Main.WRONG, "There is no " + DEFAULT + " in " + folder.toAbsolutePath()
                    + ": write one with \"orderly init\", name a file with --config, or start without a file:"
                    + " orderly serve --origin http://127.0.0.1:9000 --capacity 200", null);
        }
        return found;
    }

    private ConfigFile withoutFile(Site options, Path folder, Map<String, String> environment) {
        if (config != null || Files.exists(folder.resolve(DEFAULT))) {
            throw new CommandFailedException(Main.WRONG, "--origin starts without a configuration file, and there is "
                    + Objects.requireNonNullElse(config, DEFAULT)
                    + ": set edge.origin and rooms there, or start in another folder", null);
        }
        if (options.capacity == null && options.rate == null) {
            throw new CommandFailedException(Main.WRONG, "Nothing limits the visitors of " + options.origin
                    + ": give --capacity, --rate, or both", null);
        }
        if (options.acme != null && options.tls != null) {
            throw new CommandFailedException(Main.WRONG, "--tls and --acme both name a certificate: give one of them",
                    null);
        }
        List<Path> files = Objects.requireNonNullElse(options.tls, List.of());
        if (files.size() > 2) {
            throw new CommandFailedException(Main.WRONG,
                    "--tls has " + files.size() + " files: give a certificate and its key,"
                            + " or one file with both",
                    null);
        }
        return ConfigFile.of(MADE, folder, environment).override("--origin", "edge.origin", options.origin)
                .override("--capacity", ROOM + "capacity", options.capacity)
                .override("--rate", ROOM + "rate", options.rate).override("--match", ROOM + "match", options.match)
                .override("--tls", "edge.tls.certificate", files.isEmpty() ? null : files.getFirst())
                .override("--tls", "edge.tls.key", files.size() < 2 ? null : files.getLast())
                .override("--acme", "edge.tls.acme.domains", options.acme)
                .override("--acme", "edge.redirect-port", options.acme == null ? null : HTTP)
                .override("--acme", "edge.port", options.acme == null ? null : HTTPS);
    }
}
