package dev.orderly.cli;

import dev.orderly.cli.terminal.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Prints a link that signs a browser in, and opens it. */
@Command(name = "dashboard",
        description = "Print a link to the dashboard that signs one browser in, once, within ten minutes, and open it"
                + " where there is a desktop.",
        footer = {"  orderly dashboard", "  orderly dashboard --print --config /etc/orderly/orderly.yaml"})
final class DashboardCommand extends ApiCommand {
    @Option(names = "--print", description = "Only print the link.")
    private boolean printOnly;

    DashboardCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    JsonNode ask(ApiClient api) {
        ObjectNode answer = (ObjectNode) api.post("/api/v1/login-links", Map.of());
        return answer.put("url", api.base() + answer.path("path").asString(""));
    }

    @Override
    void print(JsonNode answer, Terminal to) {
        String url = answer.path("url").asString("");
        to.out().println(url);
        to.err().println("Signs one browser in as " + answer.path("name").asString("") + ", within "
                + answer.path("seconds").asLong(0) / 60 + " minutes.");
        List<String> opener = opener(System.getProperty("os.name", "").toLowerCase(Locale.ROOT), to.environment());
        if (!printOnly && to.interactive() && opener != null) {
            open(opener, url, to);
        }
    }

    private static @Nullable List<String> opener(String system, Map<String, String> environment) {
        if (system.startsWith("mac")) {
            return List.of("open");
        }
        if (system.startsWith("windows")) {
            return List.of("rundll32", "url.dll,FileProtocolHandler");
        }
        return environment.containsKey("DISPLAY") || environment.containsKey("WAYLAND_DISPLAY")
                ? List.of("xdg-open")
                : null;
    }

    /** Opens a page of the user's own that leads on: all users of a machine see the arguments of programs. */
    private static void open(List<String> opener, String url, Terminal to) {
        try {
            Path page = Files.createTempFile("orderly-dashboard", ".html");
            page.toFile().deleteOnExit();
            Files.writeString(page, "<!doctype html><meta http-equiv=\"refresh\" content=\"0;url=" + url + "\">");
            Process started = new ProcessBuilder(Stream.concat(opener.stream(), Stream.of(page.toString())).toList())
                    .redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
            var _ = started.waitFor();
        } catch (IOException e) {
            to.err().println("No browser was opened (" + e.getMessage() + "): open the link yourself.");
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
