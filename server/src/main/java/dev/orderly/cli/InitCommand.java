package dev.orderly.cli;

import dev.orderly.cli.terminal.Terminal;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes a first configuration file. */
@Command(name = "init",
        description = "Write a short configuration file with comments, for waiting rooms, job queues or both.",
        footer = {"  orderly init rooms", "  orderly init queues --file /etc/orderly.yaml"})
final class InitCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(arity = "0..1", paramLabel = "PARTS", defaultValue = "both",
            description = "rooms, queues or both; both if not given.")
    private Parts parts = Parts.BOTH;
    @Option(names = "--file", paramLabel = "FILE", defaultValue = "orderly.yaml",
            description = "The file to write; orderly.yaml if not given. An existing file is not changed.")
    private Path file = ServeOptions.DEFAULT;

    InitCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    /** The parts of a file. */
    enum Parts {
        ROOMS, QUEUES, BOTH;

        String text() {
            List<String> templates = switch (this) {
                case ROOMS -> List.of("head", "site", "rooms");
                case QUEUES -> List.of("head", "edge", "queues");
                case BOTH -> List.of("head", "site", "rooms", "queues");
            };
            return templates.stream().map(InitCommand::template).collect(Collectors.joining());
        }
    }

    @Override
    public Integer call() {
        try {
            Files.writeString(file, parts.text(), StandardOpenOption.CREATE_NEW);
        } catch (FileAlreadyExistsException e) {
            throw new CommandFailedException(Main.WRONG,
                    file + " exists and was not changed: name another file with --file, or remove it", e);
        } catch (IOException e) {
            throw new CommandFailedException(
                    file + " cannot be written (" + e + "): check the folder and its permissions", e);
        }
        terminal.out().println("Wrote " + file + ". Edit it, then: orderly config check " + file
                + " && orderly serve --config " + file);
        return Main.OK;
    }

    private static String template(String name) {
        try (InputStream in = Objects.requireNonNull(InitCommand.class.getResourceAsStream("init/" + name + ".yaml"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
