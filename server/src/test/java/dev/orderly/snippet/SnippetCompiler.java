package dev.orderly.snippet;

import com.sun.source.util.JavacTask;
import dev.orderly.snippet.PageSnippets.Snippet;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * Compiler of examples, all in one run, without writing classes. Each example is the body of a method of a class that
 * extends {@code Application}, the fixture of this folder, and begins with the imports of every type that it names: a
 * reader who copies it need not look for them.
 */
final class SnippetCompiler {
    private SnippetCompiler() {}

    /** The errors of the compiler, each with page and line. */
    static List<String> errors(List<Snippet> snippets) throws IOException {
        JavaCompiler compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler(), "no compiler in this JDK");
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        Map<String, Snippet> byClass = new TreeMap<>();
        List<JavaFileObject> sources = new ArrayList<>(List.of(source("Application", fixture())));
        for (Snippet snippet : snippets) {
            String name = "Example" + byClass.size();
            byClass.put(name, snippet);
            sources.add(source(name, text(name, snippet)));
        }
        JavacTask task = (JavacTask) compiler.getTask(null, null, found, List.of("-proc:none", "-Xlint:none", "-cp",
                System.getProperty("java.class.path")), null, sources);
        task.analyze();
        return found.getDiagnostics().stream().filter(each -> each.getKind() == Diagnostic.Kind.ERROR)
                .map(each -> place(each, byClass) + each.getMessage(null)).toList();
    }

    private static String place(Diagnostic<? extends JavaFileObject> error, Map<String, Snippet> byClass) {
        JavaFileObject source = error.getSource();
        if (source == null) {
            return "";
        }
        String name = source.getName().replaceFirst(".*/", "").replace(".java", "");
        Snippet snippet = byClass.get(name);
        return snippet == null
                ? "fixture " + name + ":" + error.getLineNumber() + " "
                : snippet.page().getFileName() + ":" + (snippet.line() + error.getLineNumber() - 2) + " ";
    }

    /** A class whose second line is the first of the example. */
    private static String text(String name, Snippet snippet) {
        String own = snippet.lines().stream().filter(SnippetCompiler::isImport).collect(Collectors.joining(" "));
        String body = snippet.lines().stream().map(line -> isImport(line) ? "" : line)
                .collect(Collectors.joining("\n"));
        return "package dev.orderly.snippet; " + own + " abstract class " + name
                + " extends Application { void run() throws Exception {\n" + body + "\n}}";
    }

    private static boolean isImport(String line) {
        return line.startsWith("import ");
    }

    private static String fixture() throws IOException {
        try (InputStream in = Objects.requireNonNull(SnippetCompiler.class.getResourceAsStream("application.txt"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static JavaFileObject source(String name, String text) {
        return new SimpleJavaFileObject(URI.create("string:///" + name + ".java"), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return text;
            }
        };
    }
}
