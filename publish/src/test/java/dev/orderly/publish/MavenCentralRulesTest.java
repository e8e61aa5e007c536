package dev.orderly.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.testkit.server.ChildProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Document;

/** What Maven Central checks of an upload, and what an application needs of the POMs. */
class MavenCentralRulesTest {
    private static final List<String> ENDS = List.of("-javadoc.jar", "-sources.jar", ".jar", ".pom");

    static List<String> artifacts() {
        return StagedRepository.artifacts();
    }

    static List<String> libraries() {
        return StagedRepository.LIBRARIES;
    }

    @Test
    void theLibrariesAreStagedAndNothingElse() {
        assertThat(StagedRepository.names(StagedRepository.FOLDER.resolve("dev/orderly")))
                .containsExactlyElementsOf(StagedRepository.artifacts());
    }

    @ParameterizedTest
    @MethodSource("artifacts")
    void anArtifactHasItsFilesEachWithSignatureAndChecksums(String artifact) throws IOException {
        List<String> expected = new ArrayList<>();
        for (String end : artifact.equals(StagedRepository.BOM) ? List.of(".pom") : ENDS) {
            String file = artifact + "-" + StagedRepository.versionInNames(artifact) + end;
            expected.addAll(List.of(file, file + ".md5", file + ".sha1"));
            if (isSigned()) {
                expected.add(file + ".asc");
            }
            Path path = StagedRepository.file(artifact, end);
            assertThat(path).isNotEmptyFile();
            assertThat(Path.of(path + ".md5")).hasContent(hash("MD5", path));
            assertThat(Path.of(path + ".sha1")).hasContent(hash("SHA-1", path));
        }
        if (StagedRepository.isSnapshot()) { // by which Maven finds the newest build
            expected.addAll(List.of("maven-metadata.xml", "maven-metadata.xml.md5", "maven-metadata.xml.sha1"));
        }
        assertThat(StagedRepository.names(StagedRepository.folder(artifact)))
                .containsExactlyInAnyOrderElementsOf(expected);
    }

    @ParameterizedTest
    @MethodSource("artifacts")
    void aPomSaysWhatMavenCentralAsksFor(String artifact) {
        Document pom = StagedRepository.pom(artifact);

        for (String path : List.of("name", "description", "url", "licenses/license/name", "licenses/license/url",
                "scm/connection", "scm/developerConnection", "scm/url", "developers/developer/name")) {
            assertThat(StagedRepository.value(pom, "/project/" + path)).as(path).isNotBlank();
        }
        assertThat(StagedRepository.value(pom, "/project/groupId")).isEqualTo("dev.orderly");
        assertThat(StagedRepository.value(pom, "/project/artifactId")).isEqualTo(artifact);
        assertThat(StagedRepository.value(pom, "/project/version")).isEqualTo(StagedRepository.VERSION);
        assertThat(StagedRepository.value(pom, "/project/scm/tag")).isEqualTo("v" + StagedRepository.VERSION);
    }

    @ParameterizedTest
    @MethodSource("artifacts")
    void aPomHasNoneOfTheBuildsOwnParts(String artifact) {
        Document pom = StagedRepository.pom(artifact);

        for (String part : List.of("parent", "modules", "build", "profiles", "properties", "repositories",
                "pluginRepositories", "distributionManagement", "reporting")) {
            assertThat(count(pom, "/project/" + part)).as(part).isZero();
        }
        assertThat(pom.getDocumentElement().getTextContent().replace(StagedRepository.VERSION, ""))
                .doesNotContain("${").doesNotContain("SNAPSHOT");
    }

    @ParameterizedTest
    @MethodSource("libraries")
    void aLibraryDependsOnVersionsAndOnPublishedArtifactsOnly(String artifact) {
        Document pom = StagedRepository.pom(artifact);

        assertThat(count(pom, "/project/dependencies/dependency")).isPositive()
                .isEqualTo(count(pom, "/project/dependencies/dependency[version]"));
        assertThat(count(pom, "/project/dependencies/dependency[scope='test' or scope='system']")).isZero();
        assertThat(count(pom, "/project/dependencyManagement")).isZero();
        int ours = count(pom, "/project/dependencies/dependency[groupId='dev.orderly']");
        int published = StagedRepository.LIBRARIES.stream().mapToInt(library -> count(pom,
                "/project/dependencies/dependency[groupId='dev.orderly' and artifactId='" + library + "' and version='"
                        + StagedRepository.VERSION + "']"))
                .sum();
        assertThat(published).isEqualTo(ours);
    }

    @Test
    void theBomManagesEveryLibraryAndNothingElse() {
        Document pom = StagedRepository.pom(StagedRepository.BOM);

        String managed = "/project/dependencyManagement/dependencies/dependency";
        assertThat(count(pom, managed)).isEqualTo(StagedRepository.LIBRARIES.size());
        for (String library : StagedRepository.LIBRARIES) {
            assertThat(count(pom, managed + "[artifactId='" + library + "' and version='" + StagedRepository.VERSION
                    + "']")).as(library).isEqualTo(1);
        }
        assertThat(StagedRepository.value(pom, "/project/packaging")).isEqualTo("pom");
    }

    @ParameterizedTest
    @MethodSource("libraries")
    void sourcesAndJavadocCoverTheClassesOfTheJar(String artifact) throws IOException {
        List<String> types = entries(artifact, ".jar").filter(name -> name.endsWith(".class"))
                .map(name -> name.substring(0, name.length() - ".class".length()))
                .filter(name -> !name.contains("$") && !name.startsWith("dev/orderly/dashboard/template")).toList();
        List<String> sources = entries(artifact, "-sources.jar").toList();
        List<String> pages = entries(artifact, "-javadoc.jar").toList();

        assertThat(types).isNotEmpty();
        assertThat(sources).containsAll(types.stream().map(type -> type + ".java").toList());
        assertThat(pages).contains("index.html").anyMatch(name -> name.endsWith("/package-summary.html"));
        assertThat(types).as("each package says what it is").containsAll(types.stream()
                .map(type -> type.substring(0, type.lastIndexOf('/')) + "/package-info").distinct().toList());
    }

    @Test
    void noPackageIsInTwoJars() throws IOException {
        Map<String, String> owners = new HashMap<>();
        TreeSet<String> split = new TreeSet<>();
        for (String artifact : StagedRepository.LIBRARIES) {
            for (String folder : entries(artifact, ".jar").filter(name -> name.endsWith(".class"))
                    .map(name -> name.substring(0, name.lastIndexOf('/'))).distinct().toList()) {
                String before = owners.put(folder, artifact);
                if (before != null) {
                    split.add(folder + " in " + before + " and " + artifact);
                }
            }
        }
        assertThat(owners).isNotEmpty();
        assertThat(split).as("packages that no module path takes").isEmpty();
    }

    @Test
    void everySignatureIsThatOfTheKey(@TempDir Path home) {
        if (!isSigned()) {
            return;
        }
        gpg(home, "--import", StagedRepository.FOLDER.resolve("KEY.asc").toString());
        for (String artifact : StagedRepository.artifacts()) {
            for (String end : artifact.equals(StagedRepository.BOM) ? List.of(".pom") : ENDS) {
                Path file = StagedRepository.file(artifact, end);
                gpg(home, "--verify", file + ".asc", file.toString());
            }
        }
        ChildProcess.run(List.of("gpgconf", "--homedir", home.toString(), "--kill", "all"), builder -> builder);
    }

    private static void gpg(Path home, String... arguments) {
        List<String> command = Stream.concat(Stream.of("gpg", "--batch", "--homedir", home.toString()),
                Stream.of(arguments)).toList();
        ChildProcess.Ended ended = ChildProcess.run(command, builder -> builder.redirectErrorStream(true));
        assertThat(ended.exitCode()).as("%s%n%s", command, ended.out()).isZero();
    }

    /** Without gpg on the machine the build says that it signs nothing, and so does this test. */
    private static boolean isSigned() {
        boolean installed = ChildProcess.installed("gpg").isPresent();
        if (!installed) {
            System.err.println("gpg is not installed: NO SIGNATURE IS CHECKED");
        }
        return installed;
    }

    private static Stream<String> entries(String artifact, String end) throws IOException {
        try (JarFile jar = new JarFile(StagedRepository.file(artifact, end).toFile())) {
            return jar.stream().map(JarEntry::getName).toList().stream();
        }
    }

    private static String hash(String algorithm, Path file) throws IOException {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance(algorithm).digest(Files.readAllBytes(file)));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    private static int count(Document pom, String path) {
        return (int) Double.parseDouble(StagedRepository.value(pom, "count(" + path + ")"));
    }
}
