package dev.orderly.cli;

import dev.orderly.cli.process.LogSetup;
import dev.orderly.cli.process.ProcessExit;
import dev.orderly.cli.process.ProcessSignals;
import dev.orderly.cli.terminal.Terminal;
import dev.orderly.config.Config;
import dev.orderly.config.LogFormat;
import dev.orderly.server.OrderlyServer;
import dev.orderly.server.StartFailedException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Runs a server until a signal stops it. */
@Command(name = "serve",
        description = "Run a server until SIGINT or SIGTERM, which stop it in order; a second signal stops it"
                + " at once. SIGHUP reads the configuration again, as \"orderly config reload\" does.",
        footer = {"  orderly serve --origin http://127.0.0.1:9000 --capacity 200 --rate \"5 per 15s\"",
                "  orderly serve --config orderly.yaml",
                "  ORDERLY_EDGE_PORT=80 orderly serve --config /etc/orderly.yaml --admin-port 0"})
final class ServeCommand implements Callable<Integer> {
    private static final Logger LOG = LoggerFactory.getLogger(ServeCommand.class);

    /** Each renegotiation of TLS 1.2 costs a signature, and no browser asks for one. Read once by the JDK. */
    private static final String RENEGOTIATION = "jdk.tls.rejectClientInitiatedRenegotiation";

    private final Terminal terminal;

    @Mixin
    private ServeOptions options = new ServeOptions();
    @Spec
    private @Nullable CommandSpec spec;

    ServeCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        System.setProperty(RENEGOTIATION, System.getProperty(RENEGOTIATION, "true"));
        Config checked = ConfigOption.read(options.file(Path.of(""), terminal.environment()), options.name());
        LogSetup.server(checked.log(), verbose());
        checked.inForce().lines().forEach(line -> LOG.info("config {}", line));
        checked.jobs().routes().forEach(route -> route.warning().ifPresent(LOG::warn));
        ProcessExit.onFatalErrors();
        ProcessSignals signals = new ProcessSignals();
        try (OrderlyServer server = OrderlyServer.start(checked,
                () -> options.file(Path.of(""), terminal.environment()).read(), terminal.environment(),
                wait -> !signals.await(wait))) {
            ProcessSignals.onExit(server::close);
            signals.onHangup(server::reload);
            announce(checked, server);
            boolean drains = signals.await();
            LOG.info("Stopping; a second signal stops at once");
            if (drains) {
                server.drain();
            }
        } catch (StartFailedException e) {
            if (signals.await(Duration.ZERO)) {
                LOG.info("{}", e.getMessage());
                return Main.OK;
            }
            throw new CommandFailedException(String.valueOf(e.getMessage()), e);
        }
        LOG.info("Stopped");
        return Main.OK;
    }

    private boolean verbose() {
        return spec != null && spec.root().userObject() instanceof Main main && main.verbose();
    }

    private void announce(Config checked, OrderlyServer server) {
        if (checked.log() == LogFormat.TEXT) {
            terminal.out().println("edge  " + ConfigOption.url(checked.edge(), server.edgePort()));
            terminal.out().println("api   " + ConfigOption.url(checked.admin().withHost(server.adminHost()),
                    server.adminPort()));
            if (checked.access().local()) {
                terminal.out().println("      in a browser: orderly dashboard; with curl: -H @" + server.localAccess());
            }
            if (checked.metrics() != null) {
                terminal.out().println("metrics " + ConfigOption.url(checked.metrics(), server.metricsPort())
                        + "/metrics");
            }
        }
    }
}
