package dev.orderly.publish;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.constant.ClassDesc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What the build compares with the version before: everything that is published but what is marked internal. */
class ApiBaselineTest {
    private static final ClassDesc INTERNAL = ClassDesc.of("dev.orderly.Internal");
    /** Left out without the mark: see docs/versions.md. */
    private static final List<String> OTHERS = List.of("dev.orderly.testkit.contract",
            "dev.orderly.dashboard.template");

    /** A jar that is missing there counts as a new module. */
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

    @Test
    void theComparisonLeavesOutInternalPackagesOnly() throws IOException {
        String pom = Files.readString(Path.of("../pom.xml"));
        List<String> leftOut = Pattern.compile("<exclude>(dev\\.orderly\\.[^<]*)</exclude>").matcher(pom).results()
                .map((MatchResult exclude) -> exclude.group(1)).toList();

        TreeSet<String> expected = new TreeSet<>(OTHERS);
        for (String library : StagedRepository.LIBRARIES) {
            internal(library).stream().filter(name -> OTHERS.stream().noneMatch(other -> name.startsWith(other + ".")))
                    .forEach(expected::add);
        }
        assertThat(expected).hasSizeGreaterThan(OTHERS.size());
        assertThat(leftOut).containsExactlyInAnyOrderElementsOf(expected);
    }

    /** The packages of a jar that are marked internal. */
    private static List<String> internal(String library) throws IOException {
        try (JarFile jar = new JarFile(StagedRepository.file(library, ".jar").toFile())) {
            TreeSet<String> names = new TreeSet<>();
            for (JarEntry entry : jar.stream().filter(file -> file.getName().endsWith("/package-info.class"))
                    .toList()) {
                ClassModel info = ClassFile.of().parse(jar.getInputStream(entry).readAllBytes());
                boolean internal = info.findAttribute(Attributes.runtimeInvisibleAnnotations()).stream()
                        .flatMap(attribute -> attribute.annotations().stream())
                        .anyMatch(annotation -> annotation.classSymbol().equals(INTERNAL));
                if (internal) {
                    names.add(info.thisClass().asSymbol().packageName());
                }
            }
            return List.copyOf(names);
        }
    }
}
