package dev.orderly.snippet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Every page that a page or a source names exists, with the heading that is named. */
class PageLinksTest {
    private static final Path ROOT = Path.of(System.getProperty("basedir", ".")).toAbsolutePath().resolve("..")
            .normalize();
    private static final Pattern CODE = Pattern.compile("```.*?```", Pattern.DOTALL);
    private static final Pattern LINK = Pattern.compile("]\\((?!\\w+:)([^)\\s#]*)(?:#([^)\\s]+))?\\)");
    private static final Pattern HEADING = Pattern.compile("^#+ (.*)$", Pattern.MULTILINE);
    private static final Pattern NAMED = Pattern.compile("\\bdocs/[\\w/-]+\\.md\\b");
    private static final Pattern SOURCE = Pattern.compile(".*\\.(java|xml|yaml|jte|txt|json)|.*/build/\\w+");

    @Test
    void everyLinkOfAPageLeadsToAFileAndAHeading() {
        List<Path> pages = files().stream().filter(file -> file.toString().endsWith(".md")).toList();

        List<String> broken = new ArrayList<>();
        for (Path page : pages) {
            LINK.matcher(prose(page)).results().filter(link -> !leads(page, link))
                    .forEach(link -> broken.add(ROOT.relativize(page) + " links to " + link.group()));
        }

        assertThat(pages).hasSizeGreaterThan(20);
        assertThat(broken).isEmpty();
    }

    @Test
    void everyPageThatASourceNamesExists() {
        Set<String> missing = files().stream().filter(file -> SOURCE.matcher(file.toString()).matches())
                .flatMap(file -> NAMED.matcher(read(file)).results().map(MatchResult::group)
                        .filter(name -> !Files.isRegularFile(ROOT.resolve(name)))
                        .map(name -> ROOT.relativize(file) + " names " + name))
                .collect(Collectors.toSet());

        assertThat(missing).isEmpty();
    }

    private static boolean leads(Path page, MatchResult link) {
        Path target = link.group(1).isEmpty() ? page : page.resolveSibling(link.group(1)).normalize();
        return Files.exists(target) && (link.group(2) == null || !target.toString().endsWith(".md")
                || HEADING.matcher(prose(target)).results().anyMatch(each -> anchor(each).equals(link.group(2))));
    }

    /** As GitHub makes it. */
    private static String anchor(MatchResult heading) {
        return heading.group(1).replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1").strip().toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N}_ -]", "").replace(' ', '-');
    }

    private static String prose(Path page) {
        return CODE.matcher(read(page)).replaceAll("");
    }

    /** The files of the checkout that are not made by a build. */
    private static List<Path> files() {
        List<Path> found = new ArrayList<>();
        try {
            Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                    return Set.of("target", ".git", "data").contains(String.valueOf(folder.getFileName()))
                            ? FileVisitResult.SKIP_SUBTREE
                            : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    found.add(file);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
