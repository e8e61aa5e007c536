package dev.orderly.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

@Command(name = "demo")
final class DemoCommand implements Callable<Integer> {
    DemoCommand(Terminal terminal) {
        terminal.out().flush();
    }

    @Override
    public Integer call() {
        return 0;
    }
}
