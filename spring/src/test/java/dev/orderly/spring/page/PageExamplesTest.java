package dev.orderly.spring.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.spring.config.OrderlyProperties;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.io.ByteArrayResource;

/**
 * Each block of code of a page is in a test class, which the compiler reads, and begins with the imports of the types
 * that it names; comments and white space do not count.
 * Each block of properties has only properties that exist.
 */
class PageExamplesTest {
    private static final Path ROOT = Path.of(System.getProperty("basedir", ".")).toAbsolutePath().resolve("..")
            .normalize();
    private static final Path EXAMPLES = ROOT.resolve("spring/src/test/java/dev/orderly/spring/page");
    /** The example of a test, which is run where tests of applications are. */
    private static final Path TEST = ROOT
            .resolve("spring-test/src/test/java/dev/orderly/springtest/shop/MailerTest.java");
    private static final Pattern BLOCK = Pattern
            .compile("<!-- not compiled: a class of the tests of spring has it -->\n```java\n(.*?)```", Pattern.DOTALL);
    private static final Pattern PROPERTIES = Pattern.compile("(?:```yaml\n|\\A)(orderly:\n.*?)(?:```|\\z)",
            Pattern.DOTALL);
    private static final Pattern IMPORT = Pattern.compile("^import (?:static )?[\\w.]+\\.(\\w+);$", Pattern.MULTILINE);
    private static final Pattern COMMENT = Pattern.compile("//[^\n]*");
    private static final Pattern IGNORED = Pattern.compile("//[^\n]*|\\s+");

    @ParameterizedTest
    @CsvSource({"spring.md, SpringExamples, 10", "servlet.md, ServletExamples, 5",
            "migrate/spring-modulith.md, ModulithExamples, 4"})
    void eachBlockOfThePageIsCompiledHere(String page, String examples, int blocks) throws IOException {
        String sources = Files.readString(EXAMPLES.resolve(examples + ".java")) + Files.readString(TEST);

        List<String> found = BLOCK.matcher(Files.readString(ROOT.resolve("docs").resolve(page))).results()
                .map(block -> block.group(1)).toList();

        assertThat(found).hasSizeGreaterThanOrEqualTo(blocks).allSatisfy(block -> {
            assertThat(code(sources)).contains(code(block));
            assertThat(imports(block)).as("the imports of %s", block).isEqualTo(needed(block, sources));
        });
    }

    private static Set<String> imports(String source) {
        return IMPORT.matcher(source).results().map(MatchResult::group).collect(Collectors.toSet());
    }

    /** The imports of the compiled sources whose names a block uses: a reader who copies it need not look for them. */
    private static Set<String> needed(String block, String sources) {
        String body = COMMENT.matcher(IMPORT.matcher(block).replaceAll("")).replaceAll("");
        return IMPORT.matcher(sources).results()
                .filter(each -> Pattern.compile("(?<![\\w.])" + each.group(1) + "\\b").matcher(body).find())
                .map(MatchResult::group).collect(Collectors.toSet());
    }

    @ParameterizedTest
    @CsvSource({"docs/spring.md, 3", "docs/servlet.md, 1", "docs/migrate/spring-modulith.md, 1",
            "publish/src/test/consumers/spring/src/main/resources/application.yaml, 1"})
    void eachPropertyOfThePageExists(String page, int blocks) throws IOException {
        List<String> found = PROPERTIES.matcher(Files.readString(ROOT.resolve(page))).results()
                .map(block -> block.group(1)).toList();

        assertThat(found).hasSize(blocks).allSatisfy(PageExamplesTest::bind);
    }

    private static void bind(String yaml) throws IOException {
        var read = new YamlPropertySourceLoader().load("page",
                new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8)));
        new Binder(ConfigurationPropertySources.from(read)).bind(OrderlyProperties.PREFIX,
                Bindable.of(OrderlyProperties.class), new NoUnboundElementsBindHandler(BindHandler.DEFAULT));
    }

    private static String code(String text) {
        return IGNORED.matcher(IMPORT.matcher(text).replaceAll("")).replaceAll("");
    }
}
