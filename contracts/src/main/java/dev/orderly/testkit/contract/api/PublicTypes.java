package dev.orderly.testkit.contract.api;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The public API of a module: its public types that are not marked internal, nor in a package that is. */
final class PublicTypes {
    private static final ClassDesc INTERNAL = ClassDesc.of("dev.orderly.Internal");

    private PublicTypes() {}

    /** @param member any class of the module */
    static List<Class<?>> of(Class<?> member) {
        try {
            Path source = Path.of(member.getProtectionDomain().getCodeSource().getLocation().toURI());
            if (Files.isDirectory(source)) {
                return types(source, member.getClassLoader());
            }
            try (FileSystem archive = FileSystems.newFileSystem(source)) {
                return types(archive.getPath("/"), member.getClassLoader());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (ReflectiveOperationException | URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<Class<?>> types(Path root, ClassLoader loader) throws IOException, ClassNotFoundException {
        List<Class<?>> types = new ArrayList<>();
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.sorted().toList()) {
                String name = root.relativize(file).toString().replace('/', '.');
                if (name.startsWith("dev.orderly.") && name.endsWith(".class") && !name.endsWith("-info.class")
                        && !isInternal(file.resolveSibling("package-info.class")) && !isInternal(outermost(file))) {
                    Class<?> type = Class.forName(name.substring(0, name.length() - ".class".length()), false, loader);
                    if (isPublic(type)) {
                        types.add(type);
                    }
                }
            }
        }
        return types;
    }

    private static Path outermost(Path file) {
        return file.resolveSibling(file.getFileName().toString().replaceFirst("(\\$.*)?\\.class$", ".class"));
    }

    private static boolean isInternal(Path file) throws IOException {
        return Files.exists(file) && ClassFile.of().parse(file)
                .findAttribute(Attributes.runtimeInvisibleAnnotations()).stream()
                .flatMap(attribute -> attribute.annotations().stream())
                .anyMatch(annotation -> annotation.classSymbol().equals(INTERNAL));
    }

    private static boolean isPublic(Class<?> type) {
        for (Class<?> each = type; each != null; each = each.getEnclosingClass()) {
            if (!Modifier.isPublic(each.getModifiers())) {
                return false;
            }
        }
        return !type.isAnonymousClass() && !type.isLocalClass() && !type.isSynthetic();
    }
}
