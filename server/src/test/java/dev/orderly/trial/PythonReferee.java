package dev.orderly.trial;

import dev.orderly.testkit.server.ChildProcess;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.slf4j.LoggerFactory;

/** {@code docs/referee.py}, where Python is installed. */
public final class PythonReferee {
    private static final Path PROGRAM = Path.of(System.getProperty("basedir", "."), "..", "docs", "referee.py");

    private PythonReferee() {}

    /** Whether Python is installed. Where it is not, an error in the log says that the referee is not tested. */
    public static boolean isInstalled() {
        boolean installed = python().isPresent();
        if (!installed) {
            LoggerFactory.getLogger(PythonReferee.class)
                    .error("NOT TESTED: docs/referee.py, which needs python3, which is not on the PATH");
        }
        return installed;
    }

    private static Optional<Path> python() {
        return ChildProcess.installed("python3");
    }

    /** Judges a history: exit code 0 if no rule is broken, 1 if one is, 2 if the file is no history. */
    public static ChildProcess.Ended judge(Path history) {
        return ChildProcess.run(List.of(python().orElseThrow().toString(), "-B",
                PROGRAM.toAbsolutePath().normalize().toString(), history.toString()));
    }
}
