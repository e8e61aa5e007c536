package dev.orderly.cli;

import dev.orderly.config.Config;
import dev.orderly.config.reader.ConfigFile;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** The server that a command calls, and the form of the printed answer. */
final class ApiOptions {
    private static final String DEFAULT = "http://127.0.0.1:8081";

    @ArgGroup(exclusive = true, multiplicity = "0..1")
    private @Nullable Where where;

    @Option(names = "--json", description = "Print the API's answer unchanged.")
    private boolean json;

    ApiOptions() {}

    /** The two ways to name the server. */
    static final class Where {
        @Option(names = "--url", paramLabel = "URL", description = "The server's API; ORDERLY_URL or " + DEFAULT
                + " if not given.")
        private @Nullable String url;
        @Option(names = "--config", paramLabel = "FILE",
                description = "Take the address from the server's configuration.")
        private @Nullable Path config;

        Where() {}
    }

    /** Prints the answer unchanged if that was requested, otherwise in the command's own words. */
    void show(JsonNode answer, Terminal terminal, Runnable readable) {
        if (json) {
            terminal.out().println(answer);
        } else {
            readable.run();
        }
    }

    ApiClient client(Map<String, String> environment) {
        return new ApiClient(url(environment));
    }

    private String url(Map<String, String> environment) {
        if (where != null && where.config != null) {
            Config config = ConfigOption.read(new ConfigFile(where.config, environment), where.config);
            if (config.admin().port() == 0) {
                throw new CommandFailed(Main.WRONG, where.config
                        + " has admin.port 0, any free port: pass the server's printed address with --url", null);
            }
            return ConfigOption.url(config.admin(), config.admin().port());
        }
        String url = where != null && where.url != null ? where.url : environment.getOrDefault("ORDERLY_URL", DEFAULT);
        return url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
    }
}
