package dev.orderly.cli;

import dev.orderly.cli.terminal.Terminal;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.JsonNode;

/** A command that sends a request to a server and prints the answer, as JSON or for people. */
abstract class ApiCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private ApiOptions server = new ApiOptions();

    ApiCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        try (ApiClient api = server.client(terminal.environment())) {
            JsonNode answer = ask(api);
            server.show(answer, terminal, visible -> print(visible, terminal));
        }
        return Main.OK;
    }

    abstract JsonNode ask(ApiClient api);

    abstract void print(JsonNode answer, Terminal to);
}
