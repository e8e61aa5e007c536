package dev.orderly.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.testkit.server.ChildProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An application outside this tree, built and tested with nothing of this build but the staged repository. */
class ConsumerTest {
    private static final Path PROJECT = Path.of("src/test/consumer").toAbsolutePath();

    @TempDir
    private Path folder;

    @Test
    void anApplicationOfMavenBuildsAndItsTestsPass() throws IOException {
        copy();
        Path maven = Path.of(System.getProperty("publish.maven", ""), "bin", "mvn");
        Path repository = folder.resolve("repository");

        // Other libraries come from this machine's cache; what is staged is no part of it.
        String out = run(maven.toString(), "-B", "-ntp", "verify", "-Dmaven.repo.local=" + repository,
                "-Dmaven.repo.local.tail=" + System.getProperty("publish.cache", ""),
                "-Dmaven.repo.local.tail.ignoreAvailability=true");

        assertThat(out).contains("Tests run: 2, Failures: 0, Errors: 0, Skipped: 0");
        for (String artifact : List.of("orderly-core", "orderly-dashboard", "orderly-store-postgres",
                "orderly-testkit")) {
            assertThat(repository.resolve("dev/orderly").resolve(artifact).resolve(StagedRepository.VERSION)
                    .resolve("_remote.repositories")).content().contains(".jar>staged=");
        }
    }

    @Test
    void anApplicationOfGradleBuildsAndItsTestsPass() throws IOException {
        Optional<Path> gradle = ChildProcess.installed("gradle");
        if (gradle.isEmpty()) {
            System.err.println("gradle is not installed: NO APPLICATION OF GRADLE IS BUILT");
            return;
        }
        copy();

        String out = run(gradle.get().toString(), "--no-daemon", "--console=plain", "-g", folder + "/gradle", "test");

        assertThat(out).contains("BUILD SUCCESSFUL");
    }

    private void copy() throws IOException {
        try (Stream<Path> files = Files.walk(PROJECT)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path copy = folder.resolve("shop").resolve(PROJECT.relativize(file));
                Files.createDirectories(copy.getParent());
                Files.writeString(copy, Files.readString(file)
                        .replace("@REPOSITORY@", StagedRepository.FOLDER.toUri().toString())
                        .replace("@VERSION@", StagedRepository.VERSION)
                        .replace("@JUNIT@", System.getProperty("publish.junit", "")));
            }
        }
    }

    /** Runs a program that is expected to succeed; returns what it wrote. */
    private String run(String... command) {
        ChildProcess.Ended ended = ChildProcess.run(List.of(command), builder -> {
            builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
            builder.environment().remove("MAVEN_ARGS");
            return builder.directory(folder.resolve("shop").toFile()).redirectErrorStream(true);
        });
        assertThat(ended.exitCode()).as("%s%n%s", List.of(command), ended.out()).isZero();
        return ended.out();
    }
}
