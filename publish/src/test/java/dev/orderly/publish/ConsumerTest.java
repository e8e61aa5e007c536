package dev.orderly.publish;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.testkit.server.ChildProcess;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor.Version;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Applications outside this tree, built and tested with nothing of this build but the staged repository: one of jobs
 * with the dependencies that docs/versions.md shows, one in a servlet container with every library of the BOM that
 * needs no framework, and one of Spring Boot.
 */
class ConsumerTest {
    private static final Path PROJECTS = Path.of("src/test/consumers").toAbsolutePath();
    private static final Path PAGE = Path.of("../docs/versions.md");
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    /** The first Gradle that runs on Java 25. */
    private static final Version LEAST_GRADLE = Version.parse("9.1");

    @TempDir
    private Path folder;

    @Test
    void anApplicationOfMavenBuildsAndItsTestsPass() throws IOException {
        copy("jobs", withJUnit(block("xml")));

        assertThat(maven()).contains("Tests run: 2, Failures: 0, Errors: 0, Skipped: 0");

        assertThat(staged()).contains("orderly-core", "orderly-store-sqlite", "orderly-testkit");
    }

    @Test
    void anApplicationInAServletContainerHasTheLibrariesWithWhichThisBuildIsTested() throws IOException {
        List<String> libraries = StagedRepository.LIBRARIES.stream()
                .filter(library -> !library.contains("spring") && !library.equals("orderly-contracts")).toList();
        copy("servlet", libraries.stream().map(library -> dependency("dev.orderly", library, "")).collect(joining()));

        assertThat(maven()).contains("Tests run: 1, Failures: 0, Errors: 0, Skipped: 0");

        assertThat(staged()).containsAll(libraries);
        assertThat(StagedRepository.names(folder.resolve("shop/target/dependency")))
                .filteredOn(jar -> !jar.startsWith("orderly-")).isNotEmpty()
                .isSubsetOf(Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                        .map(jar -> Path.of(jar).getFileName().toString()).toList());
    }

    @Test
    void anApplicationOfSpringBootBuildsAndItsTestsPass() throws IOException {
        copy("spring", "");

        assertThat(maven()).contains("Tests run: 2, Failures: 0, Errors: 0, Skipped: 0");

        assertThat(staged()).contains("orderly-spring-boot-starter", "orderly-spring-boot-test", "orderly-servlet",
                "orderly-dashboard");
    }

    @Test
    void anApplicationOfGradleBuildsAndItsTestsPass() throws IOException {
        Optional<Path> gradle = ChildProcess.installed("gradle");
        if (gradle.isEmpty() || !isNewEnough(gradle.get())) {
            System.err.println("gradle 9.1 or newer is not installed: NO APPLICATION OF GRADLE IS BUILT");
            return;
        }
        copy("jobs", block("groovy"));

        String out = run(gradle.get().toString(), "--no-daemon", "--console=plain", "-g", folder + "/gradle", "test");

        assertThat(out).contains("BUILD SUCCESSFUL");
    }

    private static boolean isNewEnough(Path gradle) {
        String out = ChildProcess.run(List.of(gradle.toString(), "--version")).out();
        Matcher version = Pattern.compile("^Gradle (\\S+)$", Pattern.MULTILINE).matcher(out);
        return version.find() && Version.parse(version.group(1)).compareTo(LEAST_GRADLE) >= 0;
    }

    /** The first block of this language on the page. */
    private static String block(String language) throws IOException {
        String page = Files.readString(PAGE);
        assertThat(page).contains("orderly-bom:" + StagedRepository.VERSION);
        String open = "```" + language + "\n";
        int start = page.indexOf(open) + open.length();
        return page.substring(start, page.indexOf("```", start));
    }

    private static String withJUnit(String block) {
        int end = block.lastIndexOf("</dependencies>");
        return block.substring(0, end)
                + dependency("org.junit.jupiter", "junit-jupiter", "<version>@JUNIT@</version><scope>test</scope>")
                + block.substring(end);
    }

    private static String dependency(String group, String artifact, String more) {
        return "<dependency><groupId>" + group + "</groupId><artifactId>" + artifact + "</artifactId>" + more
                + "</dependency>";
    }

    private void copy(String project, String dependencies) throws IOException {
        Path from = PROJECTS.resolve(project);
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path copy = folder.resolve("shop").resolve(from.relativize(file));
                Files.createDirectories(copy.getParent());
                Files.writeString(copy, Files.readString(file).replace("@DEPENDENCIES@", dependencies)
                        .replace("@REPOSITORY@", StagedRepository.FOLDER.toUri().toString())
                        .replace("@VERSION@", StagedRepository.VERSION)
                        .replace("@JUNIT@", System.getProperty("publish.junit", ""))
                        .replace("@TOMCAT@", System.getProperty("publish.tomcat", ""))
                        .replace("@SPRING-BOOT@", springBoot()));
            }
        }
    }

    /** Builds the copy. Other libraries come from this machine's cache; what is staged is no part of it. */
    private String maven() {
        return run(Path.of(System.getProperty("publish.maven", ""), "bin", "mvn").toString(), "-B", "-ntp", "verify",
                "-Dmaven.repo.local=" + folder.resolve("repository"),
                "-Dmaven.repo.local.tail=" + System.getProperty("publish.cache", ""),
                "-Dmaven.repo.local.tail.ignoreAvailability=true");
    }

    /** Our artifacts of which the build has taken the jar from the staged repository. */
    private List<String> staged() {
        Path ours = folder.resolve("repository/dev/orderly");
        return StagedRepository.names(ours).stream().filter(artifact -> read(ours.resolve(artifact)
                .resolve(StagedRepository.VERSION).resolve("_remote.repositories")).contains(".jar>staged=")).toList();
    }

    /** Runs a program that is expected to succeed; returns what it wrote. */
    private String run(String... command) {
        ChildProcess.Ended ended = ChildProcess.run(List.of(command), PATIENCE, builder -> {
            builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
            builder.environment().remove("MAVEN_ARGS");
            return builder.directory(folder.resolve("shop").toFile()).redirectErrorStream(true);
        });
        assertThat(ended.exitCode()).as("%s%n%s", List.of(command), ended.out()).isZero();
        return ended.out();
    }

    /** The version with which the starter is tested. */
    private static String springBoot() {
        return StagedRepository.value(StagedRepository.pom("orderly-spring-boot-starter"),
                "/project/dependencies/dependency[artifactId='spring-boot-starter']/version");
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
