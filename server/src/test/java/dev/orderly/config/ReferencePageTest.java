package dev.orderly.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.config.reader.ReferencePage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ReferencePageTest {
    @Test
    void thePageInTheRepositoryMatchesTheKeyTable() throws IOException {
        Path page = Path.of(System.getProperty("basedir", ".")).resolve("../docs/configuration.md");
        assertThat(Files.isRegularFile(page) ? Files.readString(page) : "")
                .as("docs/configuration.md is out of date: run ./orderly config reference > docs/configuration.md")
                .isEqualTo(ReferencePage.markdown());
    }
}
