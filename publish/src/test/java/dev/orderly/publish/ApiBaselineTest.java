package dev.orderly.publish;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The version with which the build has compared the API. A jar that is missing there counts as a new module. */
class ApiBaselineTest {
    @Test
    void theBaselineHasItsLibraries() {
        String folder = System.getProperty("publish.baseline", "");
        String version = System.getProperty("publish.baseline.version", "");
        if (folder.isEmpty()) {
            System.err.println("api.baseline is not set: THE API IS COMPARED WITH NO EARLIER VERSION");
            return;
        }
        for (String library : new String[]{"orderly-core", "orderly-store-sqlite", "orderly-testkit"}) {
            assertThat(Path.of(folder, "dev/orderly", library, version, library + "-" + version + ".jar"))
                    .isNotEmptyFile();
        }
    }
}
