package dev.orderly.bench.contender;

import dev.orderly.bench.measure.Pace;
import dev.orderly.testkit.server.ChildProcess;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Node and the contenders that run in it, from the registry that npm is configured for.
 *
 * @param folder of the program of the contenders
 */
record NodePackages(Path folder) {
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final String PROGRAM = "peers.js";

    /** Installs the packages. Blocks, for a minute or so. */
    static NodePackages install(Path folder) {
        try {
            Files.createDirectories(folder);
            for (String name : List.of("package.json", PROGRAM)) {
                try (InputStream from = Objects.requireNonNull(NodePackages.class.getResourceAsStream(name))) {
                    Files.copy(from, folder.resolve(name));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        ChildProcess.Ended npm = ChildProcess.run(List.of("npm", "install", "--no-package-lock", "--no-audit",
                "--no-fund"), PATIENCE, builder -> builder.directory(folder.toFile()).redirectErrorStream(true));
        if (npm.exitCode() != 0) {
            throw new IllegalStateException("npm could not install the peers in Node: " + npm.out());
        }
        return new NodePackages(folder);
    }

    /** The command that runs one contender. */
    List<String> command(ContenderKind kind, String server, Pace pace) {
        return Stream.concat(Stream.of(folder.resolve("node_modules/.bin/node").toString(),
                folder.resolve(PROGRAM).toString(), kind.name(), server), pace.arguments().stream()).toList();
    }
}
