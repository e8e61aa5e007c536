package dev.orderly.architecture;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.orderly.Internal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The modules of this checkout, without the bench, which reads clocks because it measures. */
final class Checkout {
    static final Path ROOT = Path.of(System.getProperty("basedir", ".")).toAbsolutePath().resolve("..").normalize();

    private static final List<String> MODULES = List.of("core", "testkit", "contracts", "core-tests",
            "store-sqlite", "store-postgres", "store-redis", "telemetry", "web", "http", "dashboard", "servlet",
            "spring", "spring-test", "examples/box-office", "examples/spring-shop", "server", "fuzz", "architecture");

    /** The modules whose artifacts applications name. */
    static final Set<String> PUBLISHED = Set.of("core", "store-sqlite", "store-postgres", "store-redis", "telemetry",
            "web", "dashboard", "servlet", "spring", "spring-test", "testkit");

    private Checkout() {}

    /**
     * Read when a test asks for classes: it takes seconds. Libraries and the JDK are known by the names of their types
     * only, which all rules are about; to read their classes too would take twice as long.
     */
    private static final class Compiled {
        static final JavaClasses CLASSES;

        static {
            ArchConfiguration.get().setResolveMissingDependenciesFromClassPath(false);
            CLASSES = new ClassFileImporter().importPaths(MODULES.stream().map(ROOT::resolve)
                    .flatMap(module -> Stream.of("target/classes", "target/test-classes").map(module::resolve))
                    .filter(Files::isDirectory).toList());
        }
    }

    /** The production classes of all modules. */
    static JavaClasses main() {
        return Compiled.CLASSES.that(DescribedPredicate.describe("are production classes",
                type -> folder(type).endsWith("/target/classes/")));
    }

    /** All compiled classes, tests included. */
    static JavaClasses all() {
        return Compiled.CLASSES;
    }

    /**
     * The folder to which a class was compiled, which tells its module and whether it is production or test; empty if
     * elsewhere.
     */
    static String folder(JavaClass type) {
        return type.getSource().map(source -> source.getUri().getPath())
                .filter(path -> path.startsWith(ROOT.toString()))
                .map(path -> path.substring(ROOT.toString().length(),
                        path.length() - (type.getName().length() + ".class".length())))
                .orElse("");
    }

    /** The mark of a type, or of the type around it, or of its package; empty if the type is for applications. */
    static Optional<Internal> internal(JavaClass type) {
        return Stream.iterate(Optional.of(type), Optional::isPresent, each -> each.get().getEnclosingClass())
                .flatMap(each -> each.get().tryGetAnnotationOfType(Internal.class).stream()).findFirst()
                .or(() -> type.getPackage().tryGetAnnotationOfType(Internal.class));
    }

    /** Whether a type is public, of a published module, and not marked internal. */
    static boolean isOfApplications(JavaClass type) {
        return PUBLISHED.contains(folder(type).split("/", 3)[1])
                && Stream.iterate(Optional.of(type), Optional::isPresent, each -> each.get().getEnclosingClass())
                        .allMatch(each -> each.get().getModifiers().contains(JavaModifier.PUBLIC))
                && internal(type).isEmpty() && !type.getPackageName().startsWith("dev.orderly.dashboard.template");
    }

    /** The Java files of all modules, the benchmarks included. */
    static List<Path> sources() {
        return Stream.concat(MODULES.stream(), Stream.of("bench"))
                .map(module -> ROOT.resolve(module).resolve("src")).filter(Files::isDirectory)
                .flatMap(Checkout::javaFiles).toList();
    }

    private static Stream<Path> javaFiles(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
