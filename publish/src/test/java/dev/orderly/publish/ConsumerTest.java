package dev.orderly.publish;

import static java.util.stream.Collectors.joining;
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

/**
 * An application outside this tree, built and tested with nothing of this build but the staged repository. Its
 * dependencies are those that docs/maven.md shows, and for Maven every other library of the BOM too.
 */
class ConsumerTest {
    private static final Path PROJECT = Path.of("src/test/consumer").toAbsolutePath();
    private static final Path PAGE = Path.of("../docs/maven.md");

    @TempDir
    private Path folder;

    @Test
    void anApplicationOfMavenBuildsAndItsTestsPass() throws IOException {
        copy(withTheOtherLibraries(block("xml")));
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
        copy(block("groovy"));

        String out = run(gradle.get().toString(), "--no-daemon", "--console=plain", "-g", folder + "/gradle", "test");

        assertThat(out).contains("BUILD SUCCESSFUL");
    }

    /** The first block of this language on the page. */
    private static String block(String language) throws IOException {
        String page = Files.readString(PAGE);
        assertThat(page).contains("orderly-bom:" + StagedRepository.VERSION);
        String open = "```" + language + "\n";
        int start = page.indexOf(open) + open.length();
        return page.substring(start, page.indexOf("```", start));
    }

    private static String withTheOtherLibraries(String block) {
        String others = StagedRepository.LIBRARIES.stream()
                .filter(library -> !block.contains(library) && !library.equals("orderly-contracts"))
                .map(library -> dependency("dev.orderly", library, "")).collect(joining());
        String junit = dependency("org.junit.jupiter", "junit-jupiter",
                "<version>@JUNIT@</version><scope>test</scope>");
        int end = block.lastIndexOf("</dependencies>");
        return block.substring(0, end) + others + junit + block.substring(end);
    }

    private static String dependency(String group, String artifact, String more) {
        return "<dependency><groupId>" + group + "</groupId><artifactId>" + artifact + "</artifactId>" + more
                + "</dependency>";
    }

    private void copy(String dependencies) throws IOException {
        try (Stream<Path> files = Files.walk(PROJECT)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path copy = folder.resolve("shop").resolve(PROJECT.relativize(file));
                Files.createDirectories(copy.getParent());
                Files.writeString(copy, Files.readString(file).replace("@PAGE@", dependencies)
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
