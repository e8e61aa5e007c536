package dev.orderly.snippet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.FifoQueue;
import dev.orderly.job.Job;
import dev.orderly.job.Push;
import dev.orderly.job.StandardQueue;
import dev.orderly.snippet.PageSnippets.Snippet;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Java of the README and the pages. */
class PageSnippetsTest {
    private static final Path ROOT = Path.of(System.getProperty("basedir", ".")).toAbsolutePath().resolve("..")
            .normalize();

    @TempDir
    private Path folder;

    @Test
    void everyExampleCompilesOrSaysWhyNot() throws IOException {
        List<Snippet> all = new ArrayList<>(PageSnippets.of(ROOT.resolve("README.md")));
        try (Stream<Path> pages = Files.walk(ROOT.resolve("docs"))) {
            for (Path page : pages.filter(each -> each.toString().endsWith(".md")).sorted().toList()) {
                all.addAll(PageSnippets.of(page));
            }
        }
        assertThat(all).hasSizeGreaterThan(12);
        assertThat(SnippetCompiler.errors(all.stream().filter(Snippet::isCompiled).toList())).isEmpty();
    }

    @Test
    void aWrongExampleIsFoundWithItsLineAndAReasonLeavesOneOut() throws IOException {
        Path page = folder.resolve("page.md");
        Files.writeString(page, """
                # Page

                ```java
                emails.push(email);
                profiles.push(profile);
                ```

                <!-- not compiled: needs another framework -->
                ```java
                @Nonsense
                ```

                1. In a list:

                   ```java
                   import java.util.concurrent.Callable;
                   Callable<String> call = () -> userId;
                   ```
                """);
        List<Snippet> all = PageSnippets.of(page);
        assertThat(all).extracting(Snippet::leftOut).containsExactly("", "needs another framework", "");
        assertThat(SnippetCompiler.errors(all.stream().filter(Snippet::isCompiled).toList())).singleElement().asString()
                .as("a FIFO queue has no push without a group").startsWith("page.md:5 ").contains("push");
    }

    @Test
    void anExampleThatDoesNotImportATypeIsFound() throws IOException {
        Path page = folder.resolve("page.md");
        Files.writeString(page, """
                ```java
                emails.delay(Duration.ofHours(1)).push(email);
                ```
                """);
        assertThat(SnippetCompiler.errors(PageSnippets.of(page))).singleElement().asString().startsWith("page.md:2 ")
                .contains("variable Duration");
    }

    @Test
    void everythingAPushAndAJobCanSayIsOnThePage() throws IOException {
        String page = Files.readString(ROOT.resolve("docs/java.md"));
        for (Class<?> type : List.of(Push.class, StandardQueue.class, FifoQueue.class, Job.class)) {
            assertThat(Stream.of(type.getDeclaredMethods())
                    .filter(method -> Modifier.isPublic(method.getModifiers()))
                    .map(Method::getName).filter(name -> !name.equals("name") && !name.contains("$")).distinct())
                    .as("methods of %s", type).allSatisfy(name -> assertThat(page).contains(name + "("));
        }
    }
}
