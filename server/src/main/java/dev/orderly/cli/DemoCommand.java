package dev.orderly.cli;

import dev.orderly.cli.process.LogSetup;
import dev.orderly.cli.process.ProcessExit;
import dev.orderly.cli.process.ProcessSignals;
import dev.orderly.cli.terminal.Terminal;
import dev.orderly.config.schema.UnitText;
import dev.orderly.room.Opening;
import dev.orderly.room.Openings;
import dev.orderly.server.DemoServer;
import dev.orderly.server.StartFailedException;
import dev.orderly.time.Time;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Opens the box office until a signal stops it. */
@Command(name = "demo",
        description = "Open a small ticket shop behind a waiting room, with a guide. Needs nothing"
                + " installed and leaves nothing behind.",
        footer = {"  orderly demo", "  orderly demo --visitors 500", "  orderly demo --visitors 500 --opening 2m",
                "  orderly demo --port 9080 --admin-port 9081"})
final class DemoCommand implements Callable<Integer> {
    private static final int PORT_MAX = 65_535;
    private static final int VISITORS_MAX = 5_000;

    private final Terminal terminal;

    @Option(names = "--port", paramLabel = "N", defaultValue = "8080",
            description = "The shop's port, 0 for any free port; ${DEFAULT-VALUE} if not given.")
    private int port;
    @Option(names = "--admin-port", paramLabel = "N", defaultValue = "8081",
            description = "The API's port, 0 for any free port; ${DEFAULT-VALUE} if not given.")
    private int adminPort;
    @Option(names = "--visitors", paramLabel = "N", defaultValue = "0",
            description = "Size of a simulated crowd, 0 to 5000; ${DEFAULT-VALUE} if not given.")
    private int visitors;
    @Option(names = "--opening", paramLabel = "TIME", description = "Opens the shop after this time, such as 2m; until"
            + " then its visitors are in the lobby, whose places are drawn. Without it, the shop is open.")
    private @Nullable String opening;
    @Spec
    private @Nullable CommandSpec spec;

    DemoCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        check("--port", port);
        check("--admin-port", adminPort);
        if (port == adminPort && port != 0) {
            throw new CommandFailedException(Main.WRONG,
                    "--port and --admin-port are both " + port + ": use two different ports",
                    null);
        }
        if (visitors < 0 || visitors > VISITORS_MAX) {
            throw new CommandFailedException(Main.WRONG, "--visitors is " + visitors + ": use 0 to " + VISITORS_MAX,
                    null);
        }
        Openings openings = openings();
        LogSetup.demo(spec != null && spec.root().userObject() instanceof Main main && main.verbose());
        ProcessExit.onFatalErrors();
        ProcessSignals signals = new ProcessSignals();
        try (DemoServer demo = DemoServer.start(new DemoServer.Ports(port, adminPort), visitors, openings,
                Path.of(""))) {
            ProcessSignals.onExit(demo::close);
            terminal.out().println(demo.guide());
            terminal.out().println("Ctrl-C closes it.");
            signals.await();
        } catch (StartFailedException e) {
            throw new CommandFailedException(String.valueOf(e.getMessage()), e);
        }
        return Main.OK;
    }

    private Openings openings() {
        if (opening == null) {
            return Openings.NONE;
        }
        Duration until = UnitText.duration(opening).filter(span -> span.compareTo(Duration.ZERO) > 0
                && span.compareTo(Opening.LOBBY_MAX) <= 0)
                .orElseThrow(() -> new CommandFailedException(Main.WRONG,
                        "--opening is \"" + opening + "\": use a time with its unit, 1s to 24h", null));
        return new Openings(List.of(new Opening(Time.system().now().plus(until)
                .truncatedTo(ChronoUnit.SECONDS).atZone(ZoneId.systemDefault()), until,
                null, 200).drawn(null)), false);
    }

    private static void check(String option, int value) {
        if (value < 0 || value > PORT_MAX) {
            throw new CommandFailedException(Main.WRONG, option + " is " + value + ": use a port, 0 to " + PORT_MAX,
                    null);
        }
    }
}
