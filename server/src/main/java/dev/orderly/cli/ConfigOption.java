package dev.orderly.cli;

import dev.orderly.config.Config;
import dev.orderly.config.ListenAddress;
import dev.orderly.config.reader.ConfigFile;
import dev.orderly.config.reader.ConfigResult;
import dev.orderly.config.source.ConfigProblem;
import java.util.List;
import java.util.stream.Collectors;

/** Configuration files for commands. */
final class ConfigOption {
    private ConfigOption() {}

    /** @throws CommandFailedException with every problem */
    static Config read(ConfigFile file, Object name) {
        return switch (file.read()) {
            case ConfigResult.Valid(Config config) -> config;
            case ConfigResult.Invalid(List<ConfigProblem> problems) ->
                throw new CommandFailedException(
                        Main.WRONG, problems.size() + (problems.size() == 1 ? " problem" : " problems")
                                + " in " + name + "\n" + problems.stream().map(problem -> "\n  "
                                        + problem.toString().replace("\n", "\n  ")).collect(Collectors.joining("\n")),
                        null);
        };
    }

    /** The address of a listener for a client on this machine. */
    static String url(ListenAddress listener, int port) {
        String host = listener.host();
        String name = host.equals("0.0.0.0") || host.equals("::") ? "127.0.0.1" : host;
        return (listener.tls() == null ? "http" : "https") + "://" + (name.contains(":") ? "[" + name + "]" : name)
                + ":" + port;
    }
}
