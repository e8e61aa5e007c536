package dev.orderly.server;

import dev.orderly.testkit.server.ChildProcess;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipEntry;

/**
 * Commands that run a main class of the program, or of the tests, in a process of its own, with the archive of loaded
 * classes that packages have (docs/install.md): some fifty processes of a build then take half of the
 * processor time. The archive needs jars, so the classes of this module are put into one; both are made once for the
 * classes of a build, by the first test that needs them.
 */
public final class ProgramProcess {
    private static final Path CLASSES = Path.of("target", "classes").toAbsolutePath();
    private static final Path LIST = Path.of("..", "dist", "classes.lst.gz").toAbsolutePath();
    private static final Path FOLDER = Path.of("target", "class-archive").toAbsolutePath();
    private static final Optional<Archive> ARCHIVE = archive();
    /** What logback says of several configurations, as class paths of tests have, belongs into no output. */
    private static final String QUIET = "-Dlogback.statusListenerClass=ch.qos.logback.core.status.NopStatusListener";

    /**
     * @param classPath of jars, for which the archive was made
     * @param folders what follows it: the classes of the tests, and of modules that no jar has in this run of Maven
     */
    private record Archive(Path file, String classPath, String folders) {}

    private ProgramProcess() {}

    /** The command of a short-lived JVM for a main class with the tests' class path. */
    public static List<String> command(String main, String... arguments) {
        return command(ChildProcess.FAST_START, main, arguments);
    }

    /** As {@link #command(String, String...)}, with these options of the JVM. */
    public static List<String> command(List<String> options, String main, String... arguments) {
        List<String> command = ChildProcess.java(options, main, arguments);
        command.add(1, QUIET);
        ARCHIVE.ifPresent(archive -> {
            command.set(command.indexOf("-cp") + 1, archive.classPath + File.pathSeparator + archive.folders);
            command.addAll(1, List.of("-XX:AOTCache=" + archive.file, "-Xlog:aot*=off,cds*=off"));
        });
        return command;
    }

    /** Empty where it cannot be made: processes then start without. */
    private static Optional<Archive> archive() {
        List<String> entries = List.of(System.getProperty("java.class.path").split(File.pathSeparator));
        if (!entries.contains(CLASSES.toString()) || !Files.exists(LIST)) {
            return Optional.empty();
        }
        try {
            Files.createDirectories(FOLDER);
            try (FileChannel channel = FileChannel.open(FOLDER.resolve("lock"), StandardOpenOption.CREATE,
                    StandardOpenOption.WRITE); FileLock _ = channel.lock()) {
                String build = build(entries);
                Path jar = FOLDER.resolve(build + ".jar");
                Path file = FOLDER.resolve(build + ".aot");
                String classPath = Stream.concat(Stream.of(jar.toString()), entries.stream()
                        .filter(entry -> entry.endsWith(".jar"))).collect(Collectors.joining(File.pathSeparator));
                if (!Files.exists(file)) {
                    clear();
                    jar(jar);
                    dump(classPath, file);
                }
                String folders = entries.stream()
                        .filter(entry -> !entry.endsWith(".jar") && !entry.equals(CLASSES.toString()))
                        .collect(Collectors.joining(File.pathSeparator));
                return Files.exists(file) ? Optional.of(new Archive(file, classPath, folders)) : Optional.empty();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A name for what the archive is made of. */
    private static String build(List<String> entries) throws IOException {
        CRC32 sum = new CRC32();
        for (String entry : entries) {
            if (entry.endsWith(".jar")) {
                sum.update((entry + Files.size(Path.of(entry)) + Files.getLastModifiedTime(Path.of(entry)))
                        .getBytes(StandardCharsets.UTF_8));
            }
        }
        for (Path file : files()) {
            sum.update(
                    (file + " " + Files.size(file) + Files.getLastModifiedTime(file)).getBytes(StandardCharsets.UTF_8));
        }
        return Long.toHexString(sum.getValue());
    }

    private static List<Path> files() throws IOException {
        try (Stream<Path> all = Files.walk(CLASSES)) {
            return all.filter(Files::isRegularFile).sorted().toList();
        }
    }

    private static void clear() throws IOException {
        try (Stream<Path> old = Files.list(FOLDER)) {
            for (Path each : old.filter(file -> !file.endsWith("lock")).toList()) {
                Files.delete(each);
            }
        }
    }

    private static void jar(Path target) throws IOException {
        try (OutputStream to = Files.newOutputStream(target); JarOutputStream jar = new JarOutputStream(to)) {
            jar.setLevel(0);
            for (Path file : files()) {
                jar.putNextEntry(new ZipEntry(CLASSES.relativize(file).toString().replace(File.separatorChar, '/')));
                Files.copy(file, jar);
                jar.closeEntry();
            }
        }
    }

    private static void dump(String classPath, Path file) throws IOException {
        Path list = FOLDER.resolve("classes.lst");
        try (InputStream names = new GZIPInputStream(Files.newInputStream(LIST))) {
            Files.copy(names, list);
        }
        Path fresh = FOLDER.resolve("fresh");
        List<String> command = new ArrayList<>(ChildProcess.java(ChildProcess.FAST_START, "-version"));
        command.set(command.indexOf("-cp") + 1, classPath);
        command.addAll(1, List.of("-Xshare:dump", "-XX:SharedClassListFile=" + list, "-XX:SharedArchiveFile=" + fresh,
                "-XX:+AOTClassLinking"));
        ChildProcess.run(command);
        if (Files.exists(fresh)) {
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
        }
    }
}
