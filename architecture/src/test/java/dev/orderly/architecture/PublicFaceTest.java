package dev.orderly.architecture;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import dev.orderly.ForwardingStore;
import dev.orderly.Store;
import dev.orderly.VisitorStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What applications see of the published modules is what the pages for users lead to. */
class PublicFaceTest {
    /** Pages for those who change Orderly. */
    private static final Set<String> OF_DEVELOPERS = Set.of("architecture.md", "decisions.md", "proof.md", "style.md");
    private static final WrittenTable TABLE = new WrittenTable("java.md",
            Pattern.compile("(?s)(<!-- public packages -->\\n).*?(?=\\n\\n)"), PublicFaceTest.class);
    private static final Pattern JAVA = Pattern.compile("(?s)```java\\n.*?```|`[^`\\n]+`");
    private static final Map<String, List<JavaClass>> NESTED = Checkout.main().stream()
            .filter(type -> type.getEnclosingClass().isPresent())
            .collect(Collectors.groupingBy(type -> type.getEnclosingClass().orElseThrow().getName()));
    private static final Pattern NAME = Pattern.compile("\\b[A-Z]\\w+");
    private static final Set<String> NAMES = namesInPages();

    /** A type that no page names, and that no signature of a named one has, is the engine's own: mark it internal. */
    @Test
    void eachPublicTypeIsNamedByAPageForUsersOrASignatureOfATypeThatIs() throws IOException {
        Map<String, JavaClass> types = publicTypes();
        Set<String> unnamed = new TreeSet<>(types.keySet());
        reached(types, type -> isNamed(type) || isOfStores(type), _ -> true).forEach(unnamed::remove);
        assertThat(NAMES).contains("Orderly", "OrderlyHarness", "SqliteStore");
        assertThat(unnamed).isEmpty();
    }

    private static Map<String, JavaClass> publicTypes() {
        return Checkout.main().stream().filter(Checkout::isOfApplications)
                .collect(Collectors.toMap(JavaClass::getName, type -> type));
    }

    /** The types among these that the roots lead to by their signatures, as far as a type may be followed. */
    private static Set<String> reached(Map<String, JavaClass> types, Predicate<JavaClass> roots,
            Predicate<JavaClass> followed) {
        Deque<JavaClass> next = new ArrayDeque<>(types.values().stream().filter(roots).toList());
        Set<String> reached = new TreeSet<>();
        while (!next.isEmpty()) {
            JavaClass type = next.remove();
            if (types.containsKey(type.getName()) && reached.add(type.getName()) && followed.test(type)) {
                next.addAll(shown(type));
            }
        }
        return reached;
    }

    private static boolean isNamed(JavaClass type) {
        return NAMES.contains(type.getSimpleName()) || type.getSimpleName().endsWith("Exception");
    }

    @Test
    void thePageOfJavaHasTheNumberOfPublicTypesOfEachPackage() throws IOException {
        assertThat(TABLE.check(_ -> table())).contains("| `job` |", "| `testkit` |");
    }

    private static String table() {
        Map<String, JavaClass> types = publicTypes();
        // Followed no further than to a store: its methods are those of its ports.
        Map<String, Long> counts = reached(types, type -> isNamed(type) && !isOfStores(type),
                type -> !isOfStores(type) && !type.isAssignableTo(VisitorStore.class))
                .stream().map(types::get).filter(type -> type.isTopLevelClass() && !isOfStores(type))
                .collect(Collectors.groupingBy(JavaClass::getPackageName, TreeMap::new, Collectors.counting()));
        Map<String, String> contents = new HashMap<>();
        Checkout.PUBLISHED.forEach(module -> contents.putAll(PackageTableTest.contents(Checkout.ROOT.resolve(module))));
        String rows = counts.entrySet().stream().map(each -> {
            String name = each.getKey().replaceFirst("^dev\\.orderly\\.?", "");
            return name.isEmpty()
                    ? "| `dev.orderly` | " + each.getValue()
                            + " | The instance, its store, and the root of what is thrown |"
                    : "| `" + name + "` | " + each.getValue() + " | " + contents.get(name) + " |";
        }).collect(Collectors.joining("\n"));
        return "| package | types | content |\n|---|---|---|\n" + rows;
    }

    /** Whether a type is for authors of stores. */
    private static boolean isOfStores(JavaClass type) {
        return Stream.of(Store.class, VisitorStore.class, ForwardingStore.class).anyMatch(type::isEquivalentTo)
                || type.getPackageName().endsWith(".store")
                || type.getPackageName().startsWith("dev.orderly.store.copy");
    }

    /** The types that a reader of its page in the Javadoc meets. */
    private static Collection<JavaClass> shown(JavaClass type) {
        Stream<JavaMember> members = type.getMembers().stream().filter(member -> member.getModifiers().stream()
                .anyMatch(modifier -> modifier == JavaModifier.PUBLIC || modifier == JavaModifier.PROTECTED));
        Stream<JavaType> signatures = Stream.concat(
                Stream.concat(type.getSuperclass().stream(), type.getInterfaces().stream()),
                members.flatMap(PublicFaceTest::signature));
        return Stream.of(signatures.flatMap(each -> each.getAllInvolvedRawTypes().stream())
                .map(JavaClass::getBaseComponentType), type.getEnclosingClass().stream(),
                NESTED.getOrDefault(type.getName(), List.of()).stream())
                .flatMap(each -> each).collect(Collectors.toSet());
    }

    private static Stream<? extends JavaType> signature(JavaMember member) {
        return member instanceof JavaCodeUnit unit
                ? Stream.concat(Stream.of(unit.getReturnType()), Stream.concat(unit.getParameterTypes().stream(),
                        unit.getThrowsClause().getTypes().stream()))
                : Stream.of(((JavaField) member).getType());
    }

    /** The names of types in code of the pages for users and in the sources of the examples. */
    private static Set<String> namesInPages() {
        Stream<String> pages = Stream.concat(Stream.of(Checkout.ROOT.resolve("README.md")), files("docs", ".md"))
                .filter(file -> !OF_DEVELOPERS.contains(file.getFileName().toString()))
                .map(file -> TABLE.pattern().matcher(WrittenTable.read(file)).replaceAll(""))
                .flatMap(page -> JAVA.matcher(page).results().map(MatchResult::group));
        Stream<String> examples = files("examples", ".java").filter(file -> file.toString().contains("/src/main/"))
                .map(WrittenTable::read);
        return Stream.concat(pages, examples).flatMap(text -> NAME.matcher(text).results().map(MatchResult::group))
                .collect(toCollection(TreeSet::new));
    }

    private static Stream<Path> files(String folder, String ending) {
        try (Stream<Path> files = Files.walk(Checkout.ROOT.resolve(folder))) {
            return files.filter(file -> file.toString().endsWith(ending)).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
