package dev.orderly.publish;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import org.w3c.dom.Document;
import org.xml.sax.SAXException;

/** The folder to which this build has deployed its artifacts. */
final class StagedRepository {
    static final Path FOLDER = Path.of(System.getProperty("publish.repository", "../target/maven")).toAbsolutePath()
            .normalize();
    static final String VERSION = Objects.requireNonNull(System.getProperty("publish.version"));
    /** The artifacts with a jar. */
    static final List<String> LIBRARIES = List.of("orderly-contracts", "orderly-core", "orderly-dashboard",
            "orderly-servlet", "orderly-spring-boot-starter", "orderly-spring-boot-test", "orderly-store-postgres",
            "orderly-store-redis", "orderly-store-sqlite", "orderly-telemetry", "orderly-testkit", "orderly-web");
    static final String BOM = "orderly-bom";

    private StagedRepository() {}

    static List<String> artifacts() {
        return Stream.concat(LIBRARIES.stream(), Stream.of(BOM)).sorted().toList();
    }

    /** A file of an artifact, by the end of its name: ".pom", "-sources.jar". */
    static Path file(String artifact, String end) {
        return folder(artifact).resolve(artifact + "-" + versionInNames(artifact) + end);
    }

    /** Whether the tree is between two releases. */
    static boolean isSnapshot() {
        return VERSION.endsWith("-SNAPSHOT");
    }

    /** The version in the names of files: of a SNAPSHOT it has the time of the build in place of the suffix. */
    static String versionInNames(String artifact) {
        return isSnapshot()
                ? names(folder(artifact)).stream().filter(name -> name.endsWith(".pom"))
                        .map(name -> name.substring(artifact.length() + 1, name.length() - ".pom".length())).findFirst()
                        .orElseThrow()
                : VERSION;
    }

    static Path folder(String artifact) {
        return FOLDER.resolve("dev/orderly").resolve(artifact).resolve(VERSION);
    }

    static Document pom(String artifact) {
        try {
            return DocumentBuilderFactory.newDefaultInstance().newDocumentBuilder()
                    .parse(file(artifact, ".pom").toFile());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (SAXException | ParserConfigurationException e) {
            throw new IllegalStateException("The POM of " + artifact + " is no XML", e);
        }
    }

    /** What an XPath selects, as text. */
    static String value(Document pom, String path) {
        try {
            return XPathFactory.newDefaultInstance().newXPath().evaluate(path, pom);
        } catch (XPathExpressionException e) {
            throw new IllegalArgumentException(path, e);
        }
    }

    /** Names of files and folders in a folder, sorted. */
    static List<String> names(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
