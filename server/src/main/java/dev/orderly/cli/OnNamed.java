package dev.orderly.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** What every command on one queue or one room has: asks the API below its name, and shows the answer. */
abstract class OnNamed implements Callable<Integer> {
    private final Terminal terminal;
    private final String base;

    @Parameters(index = "0", paramLabel = "NAME", description = "Which one; its name as the list shows it.")
    private String name = "";
    @Mixin
    private Server server = new Server();

    /** @param base the API's path to all of them */
    OnNamed(Terminal terminal, String base) {
        this.terminal = terminal;
        this.base = base;
    }

    @Override
    public Integer call() {
        try (ApiClient api = server.client(terminal.environment())) {
            JsonNode answer = ask(api, base + "/" + ApiClient.encoded(name));
            server.show(answer, terminal, () -> print(answer, name, terminal));
        }
        return Main.OK;
    }

    abstract JsonNode ask(ApiClient api, String path);

    abstract void print(JsonNode answer, String called, Terminal to);
}
