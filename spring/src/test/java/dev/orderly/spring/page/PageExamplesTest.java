package dev.orderly.spring.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each block of code of a page is in a test class, which the compiler reads. Comments and white space do not count. */
class PageExamplesTest {
    private static final Path ROOT = Path.of(System.getProperty("basedir", ".")).toAbsolutePath().resolve("..")
            .normalize();
    private static final Path EXAMPLES = ROOT.resolve("spring/src/test/java/dev/orderly/spring/page");
    /** The example of a test, which is run where tests of applications are. */
    private static final Path TEST = ROOT
            .resolve("spring-test/src/test/java/dev/orderly/springtest/shop/MailerTest.java");
    private static final Pattern BLOCK = Pattern
            .compile("<!-- not compiled: a class of the tests of spring has it -->\n```java\n(.*?)```", Pattern.DOTALL);
    private static final Pattern IGNORED = Pattern.compile("//[^\n]*|\\s+");

    @ParameterizedTest
    @CsvSource({"spring.md, SpringExamples, 9", "servlet.md, ServletExamples, 5",
            "migrate/spring-modulith.md, ModulithExamples, 4"})
    void eachBlockOfThePageIsCompiledHere(String page, String examples, int blocks) throws IOException {
        String compiled = code(Files.readString(EXAMPLES.resolve(examples + ".java")) + Files.readString(TEST));

        List<String> found = BLOCK.matcher(Files.readString(ROOT.resolve("docs").resolve(page))).results()
                .map(block -> code(block.group(1))).toList();

        assertThat(found).hasSizeGreaterThanOrEqualTo(blocks)
                .allSatisfy(block -> assertThat(compiled).contains(block));
    }

    private static String code(String text) {
        return IGNORED.matcher(text).replaceAll("");
    }
}
