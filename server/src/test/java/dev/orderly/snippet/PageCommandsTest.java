package dev.orderly.snippet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.snippet.PageCommands.Block;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The commands of the manual are run by a test, or say why not. */
class PageCommandsTest {
    /**
     * The names of blocks, in the tests that run them: OperationsPageTest, StoreCopyTest, InstallPageTest,
     * VerifyClusterTest; ManualUnderLoadTest runs single commands of all of them.
     */
    private static final Set<String> RUN = Set.of("forget", "history", "backup", "restore", "copy", "checksums",
            "archive", "trial-queues", "trial-nodes", "trial");

    static Stream<String> pages() {
        return Stream.concat(PageCommands.MANUAL.stream(), Stream.of("break-it.md"));
    }

    @ParameterizedTest
    @MethodSource("pages")
    void everyBlockOfCommandsIsRunOrSaysWhyNot(String page) {
        assertThat(PageCommands.of(PageCommands.read(page))).allSatisfy(PageCommandsTest::isAccountedFor);
    }

    private static void isAccountedFor(Block block) {
        assertThat(RUN.contains(block.name()) || block.reason().startsWith("needs "))
                .as("%s: name a test that runs it (<!-- run: NAME -->), or what it needs (<!-- not run: needs … -->)",
                        block.lines())
                .isTrue();
    }

    @Test
    void aBlockWithoutACommentIsFoundAndOneWithItsNameIsReadWithoutPrompts() {
        List<Block> blocks = PageCommands.of("""
                <!-- run: backup -->
                ```console
                $ ./orderly status          # how it is
                ```

                1. In a list:

                   ```sh
                   rm -r /
                   ```
                """);
        assertThat(blocks).containsExactly(new Block("backup", "", List.of("./orderly status")),
                new Block("", "", List.of("rm -r /")));
    }
}
